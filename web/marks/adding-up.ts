// Sums of rounded numbers do not always add up. A sum that is written out takes as many decimals as make it right.

/** The first of `choices` at which the rounded parts add up to the rounded sum; the first of all where none does. */
export function decimalsAddingUp(parts: readonly number[], sum: number, choices: readonly [number, ...number[]]): number {
  const addsUp = (decimals: number) => {
    const units = (value: number) => Math.round(Number(value.toFixed(decimals)) * 10 ** decimals);
    return parts.reduce((total, part) => total + units(part), 0) === units(sum);
  };
  return choices.find(addsUp) ?? choices[0];
}
