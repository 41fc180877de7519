// Which addresses may become scripts: the book's own, and nobody else's. Where a page's policy asks for Trusted Types,
// browsers take no plain address for a worker; this policy is the only one that makes others.

interface Policy {
  createScriptURL(address: string): unknown;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy } };
let policy: Policy | undefined;

function checked(address: string): string {
  const own = new URL(import.meta.url);
  const { host, protocol, origin, href } = new URL(address, location.href);
  if (host !== own.host || protocol !== own.protocol) throw new TypeError(`${address} is no script of the book.`);
  if (origin === location.origin) return href;
  // In a page of others. Browsers start no worker from another origin, but they do start a blob of the page's own that
  // imports the script, where the script's server lets other origins read it.
  return URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' }));
}

/**
 * What `new Worker` and `navigator.serviceWorker.register` take, where they ask for Trusted Types and elsewhere. Throws a
 * TypeError for a script of another origin than this one. In a page of another origin it is the address of a blob.
 */
export function ownScript(address: string): string {
  policy ??= trustedTypes?.createPolicy('lookback', { createScriptURL: checked });
  return (policy ? policy.createScriptURL(address) : checked(address)) as string;
}
