// What people read when the engine itself fails; client and worker say the same.

export const filesMissing = {
  error: 'no_engine',
  sentence: "The engine's files could not be loaded; check the connection, then change the figure or reload.",
};

export const littleMissing = {
  error: 'no_model',
  sentence: 'The little model could not be loaded from this site; check the connection, then change the figure or reload.',
};

/** The module was stopped in the middle and must not be used again. */
export const engineFailed = {
  error: 'engine_failed',
  sentence: 'The engine failed on this input; it starts anew with the next change.',
};
