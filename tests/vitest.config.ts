import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'web', include: ['web/**/*.test.ts'], environment: 'node', testTimeout: 60_000 } },
      {
        // One browser and one served site for all files; they run one after the other, as the machine may have 2 cores.
        test: {
          name: 'browser',
          include: ['browser/**/*.test.ts'],
          environment: 'node',
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          // What a busy machine takes its time for still comes.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
