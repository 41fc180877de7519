// The files of a model out of what a reader hands over: picked files, a picked folder, or a drop of either. A folder may
// hold much else (a clone with its history, other formats in subfolders), so only names that can belong to a model are
// kept, and of several folders the outermost that holds weights.

import { shownName } from '../engine/shown-name.ts';
import type { ModelSource } from '../engine/types.ts';

/** A file and the folder it was in: '' at the top, else "gpt2" or "gpt2/onnx". */
export interface HandedFile {
  file: File;
  folder: string;
}

/** Folders below this depth are not looked into. */
const deepest = 4;
const mostFiles = 2000;

export function picked(list: Iterable<File>): HandedFile[] {
  return Array.from(list, (file) => ({ file, folder: folderOf(file.webkitRelativePath) }));
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Must be called inside the drop event; the list is empty afterwards. */
export async function dropped(transfer: DataTransfer): Promise<HandedFile[]> {
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  const loose = Array.from(transfer.files);
  if (entries.every((entry) => entry === null)) return picked(loose);
  const found: HandedFile[] = [];
  for (const entry of entries) if (entry) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: HandedFile[]): Promise<void> {
  if (found.length >= mostFiles || entry.name.startsWith('.')) return;
  if (entry.isFile) {
    if (!belongs(entry.name)) return;
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ file, folder });
    return;
  }
  const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (inside.split('/').length > deepest) return;
  for (const child of await children(entry as FileSystemDirectoryEntry)) await collect(child, inside, found);
}

/** A directory is read a batch at a time, until a batch is empty. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

/** Whether a file of this name can be part of a model. */
function belongs(name: string): boolean {
  return /\.safetensors(\.index\.json)?$/.test(name) || ['config.json', 'vocab.json', 'encoder.json', 'merges.txt', 'vocab.bpe'].includes(name);
}

/** What to hand to the engine, which says what is missing. Its name is the folder's. */
export function modelSource(handed: readonly HandedFile[]): Extract<ModelSource, { files: File[] }> {
  const useful = handed.filter(({ file }) => belongs(file.name));
  const folders = [...new Set(useful.map(({ folder }) => folder))].sort((a, b) => a.split('/').length - b.split('/').length || a.length - b.length);
  const holds = (folder: string) => useful.some((each) => each.folder === folder && each.file.name.endsWith('.safetensors'));
  const chosen = folders.find(holds) ?? folders[0] ?? '';
  const name = shownName(chosen.split('/').at(-1)!) || 'your files';
  return { name, files: useful.filter(({ folder }) => folder === chosen).map(({ file }) => file) };
}
