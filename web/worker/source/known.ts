// Models of the hub that the page offers by name, and the checks on what a reader types instead.

import { shownName } from '../../engine/shown-name.ts';
import { ModelError, type Origin } from './types.ts';

export const HUB = 'https://huggingface.co/';

export interface KnownModel {
  name: string;
  repo: string;
  revision: string;
  n_layers: number;
  d_model: number;
  /** SHA-256 of model.safetensors at this revision, where it is known. */
  sha256: string | null;
}

/** The first is pinned to the revision whose hash is known; the others take what the hub has now. */
export const knownModels: KnownModel[] = [
  {
    name: 'GPT-2 small', repo: 'openai-community/gpt2', revision: '607a30d783dfa663caf39e06633721c8d4cfcd7e', n_layers: 12, d_model: 768,
    sha256: '248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707',
  },
  { name: 'DistilGPT-2', repo: 'distilbert/distilgpt2', revision: 'main', n_layers: 6, d_model: 768, sha256: null },
  { name: 'GPT-2 medium', repo: 'openai-community/gpt2-medium', revision: 'main', n_layers: 24, d_model: 1024, sha256: null },
  { name: 'GPT-2 large', repo: 'openai-community/gpt2-large', revision: 'main', n_layers: 36, d_model: 1280, sha256: null },
];

const VOCABULARY = 50257;
const POSITIONS = 1024;

/** Numbers learned: two tables, 12 d² + 13 d a layer, and the last norm. */
export const parametersOf = ({ n_layers, d_model: d }: Pick<KnownModel, 'n_layers' | 'd_model'>): number =>
  (VOCABULARY + POSITIONS) * d + n_layers * (12 * d * d + 13 * d) + 2 * d;

/** Bytes to fetch, without a header of some kilobytes: four for each number. The mask buffers stay where they are. */
export const bytesToFetch = (model: KnownModel): number => 4 * parametersOf(model);

export const knownModel = (repo: string, revision: string): KnownModel | undefined =>
  knownModels.find((model) => model.repo === repo && model.revision === revision);

/** All of these speak GPT-2's tokens, which come with the book. */
export const speaksGpt2 = (repo: string): boolean => knownModels.some((model) => model.repo === repo);

const bad = (sentence: string) => new ModelError('bad_address', sentence);

/** A hub repository and its revision as typed. Throws a ModelError that says what was expected. */
export function hubOrigin(repo: string, revision: string): Origin {
  const name = repo.trim();
  const at = revision.trim() || 'main';
  const part = /^[A-Za-z0-9_][\w.-]{0,95}$/;
  const parts = name.split('/');
  if (parts.length > 2 || !parts.every((word) => part.test(word)) || name.includes('..')) {
    throw bad(`“${shownName(name.slice(0, 80))}” is not the name of a repository; owner/name was expected, such as openai-community/gpt2.`);
  }
  if (!/^[A-Za-z0-9_][\w./-]{0,199}$/.test(at) || at.includes('..') || at.includes('//') || at.endsWith('/')) {
    throw bad(`“${shownName(at.slice(0, 80))}” is not a revision; a branch, a tag or a commit was expected, such as main.`);
  }
  return { kind: 'hub', repo: name, revision: at };
}

// What the page's content policy lets through; it has no words for an IPv6 address.
const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1';

/** A part of an address without its %XX. */
function decoded(part: string, shown: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw bad(`“${shown}” holds a % that no two hexadecimal digits follow; an address such as https://example.org/model.safetensors was expected.`);
  }
}

/** An address as typed: a page of the hub becomes its repository. Throws a ModelError. */
export function addressOrigin(typed: string, hub: string = HUB): Origin {
  const text = typed.trim();
  const shown = shownName(text.slice(0, 80));
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`);
  } catch {
    throw bad(`“${shown}” is not an address; one such as https://example.org/model.safetensors was expected.`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw bad(`“${shown}” does not begin with https://, so a page may not fetch from it.`);
  }
  if (url.username || url.password) throw bad('The address holds a user name or a password; the page sends neither.');
  url.hash = '';
  decoded(url.pathname, shown);
  const page = url.origin === new URL(hub).origin ? /^\/([^/]+\/[^/]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/.*)?)?\/?$/.exec(url.pathname) : null;
  if (page) return hubOrigin(decoded(page[1]!, shown), decoded(page[2] ?? 'main', shown));
  return { kind: 'address', url: url.href };
}

/** The folder that an origin's files lie in, with a slash at its end, and the weights' name where the address gives one. */
export function folderOf(origin: Extract<Origin, { kind: 'hub' | 'address' }>, hub: string = HUB): { folder: string; weights: string | null; query: string } {
  if (origin.kind === 'hub') {
    return { folder: `${hub}${origin.repo}/resolve/${encodeURIComponent(origin.revision)}/`, weights: null, query: '' };
  }
  const url = new URL(origin.url);
  const query = url.search;
  url.search = '';
  const file = /([^/]+\.safetensors)$/.exec(url.pathname)?.[1];
  if (!file && !url.pathname.endsWith('/')) url.pathname += '/';
  return { folder: new URL('.', url).href, weights: file ? decoded(file, url.href.slice(0, 80)) : null, query };
}

/** What people call a model from there, before anything is read. */
export function nameOf(origin: Extract<Origin, { kind: 'hub' | 'address' }>): string {
  if (origin.kind === 'hub') {
    const known = knownModels.find((model) => model.repo === origin.repo);
    return known?.name ?? origin.repo;
  }
  const { folder, weights } = folderOf(origin);
  const last = decoded(new URL(folder).pathname.split('/').filter(Boolean).at(-1) ?? '', folder.slice(0, 80));
  return shownName(weights && weights !== 'model.safetensors' ? weights.replace(/\.safetensors$/, '') : last) || new URL(folder).host;
}
