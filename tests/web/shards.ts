// A checkpoint's one file spread over two, with the index that the hub lays beside such files.

/** The JSON of a safetensors file's header. */
export function headerOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(8, 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true)));
}

/** Every other tensor goes to part-1.safetensors, the first to part-0.safetensors. */
export function inShards(file: Uint8Array): { files: Uint8Array[]; index: string } {
  const json = headerOf(file);
  const header = JSON.parse(new TextDecoder().decode(json)) as Record<string, { data_offsets: [number, number] }>;
  const start = 8 + json.length;
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  const files = [0, 1].map((number) => {
    const entries: Record<string, object> = {};
    const data: Uint8Array[] = [];
    let offset = 0;
    for (const name of names.filter((_, at) => at % 2 === number)) {
      const [begin, end] = header[name]!.data_offsets;
      entries[name] = { ...header[name], data_offsets: [offset, (offset += end - begin)] };
      data.push(file.subarray(start + begin, start + end));
    }
    const words = Buffer.from(JSON.stringify(entries));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(words.length));
    return new Uint8Array(Buffer.concat([length, words, ...data]));
  });
  const weight_map = Object.fromEntries(names.map((name, at) => [name, `part-${at % 2}.safetensors`]));
  return { files, index: JSON.stringify({ metadata: { total_size: file.length - start }, weight_map }) };
}
