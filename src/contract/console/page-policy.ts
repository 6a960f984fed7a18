/** What the console's page may do, as headers: the same on the headless console's port and on the desktop's `app://`. */

/** The page is built from files of its own origin alone; nothing inline, nothing from outside, no form, no frame. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Goes on every answer that carries the page or a part of it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Copying (clipboard-write) is all that the page does with the computer.
  'Permissions-Policy':
    'camera=(), clipboard-read=(), display-capture=(), geolocation=(), hid=(), microphone=(), ' +
    'midi=(), payment=(), serial=(), usb=()',
};
