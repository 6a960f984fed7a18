/** Whether `url` is the console: its scheme and host, not any path that looks like them. */
export function isOwnPage(url: string, page: URL): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === page.protocol && host === page.host && username === '' && password === '';
}
