import { hmac } from 'k6/crypto';
import encoding from 'k6/encoding';

const part = (value) => encoding.b64encode(JSON.stringify(value), 'rawurl');
const header = part({ alg: 'HS256', typ: 'JWT' });

/** A token of the claims for an hour and ten minutes (HS256); empty without a secret. */
export function sign(claims, secret) {
  if (secret === '') return '';
  const now = Math.floor(Date.now() / 1_000);
  const text = `${header}.${part({ ...claims, iat: now, exp: now + 4_200 })}`;
  const signature = hmac('sha256', secret, text, 'base64rawurl');
  return `${text}.${signature}`;
}
