/** E-mail to a server by SMTP. A connection for each mail: there are few. */
import type { SendMail } from './send.ts';

/** Shorter than an attempt may take, so that no connection outlives it for long; in milliseconds. */
const timeouts = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 15_000 };

export const sendBySmtp: SendMail = async ({ host, port, tls, login }, mail) => {
  // Only here: most offices send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...timeouts,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { from, to, subject, text, id, at } = mail;
    const { response, rejected } = await transport.sendMail({
      from,
      to,
      subject,
      text,
      date: at,
      messageId: `<${id}@tillbridge.invalid>`,
      // RFC 3834: no holiday reply to it.
      headers: { 'auto-submitted': 'auto-generated' },
    });
    return { answer: response, refused: rejected };
  } finally {
    transport.close();
  }
};
