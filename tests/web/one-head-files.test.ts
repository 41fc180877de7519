// What a reader hands over, and what of it is given to the engine.

import { describe, expect, it } from 'vitest';
import { dropped, modelSource, picked } from '../../web/reader/handed-files.ts';

const file = (path: string) => {
  const made = new File(['x'], path.split('/').at(-1)!);
  Object.defineProperty(made, 'webkitRelativePath', { value: path.includes('/') ? path : '' });
  return made;
};
const chosen = (paths: string[]) => {
  const { name, files } = modelSource(picked(paths.map(file)));
  return [name, ...files.map((each) => each.name).sort()];
};

describe('files of a model', () => {
  it('are taken from a clone by their names, outermost folder first', () => {
    expect(
      chosen(['gpt2/onnx/config.json', 'gpt2/onnx/model.safetensors', 'gpt2/README.md', 'gpt2/config.json', 'gpt2/model.safetensors', 'gpt2/vocab.json', 'gpt2/merges.txt', 'gpt2/tf_model.h5']),
    ).toEqual(['gpt2', 'config.json', 'merges.txt', 'model.safetensors', 'vocab.json']);
  });

  it('may lie a folder deeper than the one that was picked', () => {
    expect(chosen(['models/config.json', 'models/small/config.json', 'models/small/model.safetensors'])).toEqual(['small', 'config.json', 'model.safetensors']);
  });

  it('are taken as they are when picked one by one', () => {
    expect(chosen(['model.safetensors', 'config.json', 'notes.pdf'])).toEqual(['your files', 'config.json', 'model.safetensors']);
    expect(chosen(['notes.pdf'])).toEqual(['your files']);
  });

  it('come out of a dropped folder however many batches it is read in, without hidden folders', async () => {
    const leaf = (name: string) => ({ isFile: true, name, file: (done: (made: File) => void) => done(file(name)) });
    const folder = (name: string, inside: unknown[]): object => ({
      isFile: false,
      name,
      createReader: () => {
        const rest = [...inside];
        return { readEntries: (done: (batch: unknown[]) => void) => done(rest.splice(0, 2)) };
      },
    });
    const entry = folder('gpt2', [folder('.git', [leaf('model.safetensors')]), leaf('notes.txt'), leaf('vocab.json'), leaf('config.json'), folder('sub', [leaf('config.json')]), leaf('model.safetensors'), leaf('merges.txt')]);
    const handed = await dropped({ files: [], items: [{ kind: 'file', webkitGetAsEntry: () => entry }] } as unknown as DataTransfer);
    expect(handed.map(({ folder: where, file: { name } }) => `${where}/${name}`).sort()).toEqual([
      'gpt2/config.json', 'gpt2/merges.txt', 'gpt2/model.safetensors', 'gpt2/sub/config.json', 'gpt2/vocab.json',
    ]);
    expect(modelSource(handed).name).toBe('gpt2');
  });
});
