import type { ScriptLanguage } from '@fairway/contract'

export type SignScript = {
  /** What the file is called. */ file: string
  /** How it is run. */ command: string
  text: string
}

/** File that the private key is kept in, beside the script. */
export const KEY_FILE = 'signing-key.pem'

/**
 * What a customer's server runs to sign the address of a video: a JWT (RFC 7519) by ES256. Run by itself it prints a
 * signed address. Its words are host names, ids and paths of our own making: nothing in them needs escaping.
 */
export function signScript(
  language: ScriptLanguage,
  { keyId, origin, folder, file }: { keyId: string; origin: string; folder: string; file: string },
): SignScript {
  switch (language) {
    case 'node':
      return {
        file: 'sign.cjs',
        command: 'node sign.cjs',
        text: `const crypto = require('node:crypto')
const fs = require('node:fs')
const { argv } = require('node:process')

const { now } = Date

const ORIGIN = '${origin}'
const KEY_ID = '${keyId}'
const KEY = fs.readFileSync('${KEY_FILE}')

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

// More rules: nbf, countries: ['TW'], addresses: ['192.0.2.0/24'], referrers: ['www.example.com']
function signedUrl(folder, file, seconds, rules = {}) {
  const exp = Math.floor(now() / 1000) + seconds
  const claims = { host: new URL(ORIGIN).hostname, path: folder, exp, ...rules }
  const text = \`\${encoded({ alg: 'ES256', typ: 'JWT', kid: KEY_ID })}.\${encoded(claims)}\`
  const signature = crypto.sign('sha256', Buffer.from(text), { key: KEY, dsaEncoding: 'ieee-p1363' })
  return \`\${ORIGIN}\${folder}\${file}?token=\${text}.\${signature.toString('base64url')}\`
}

if (require.main === module) console.log(signedUrl(argv[2] ?? '${folder}', '${file}', 6 * 3600))
`,
      }
    case 'python':
      return {
        file: 'sign.py',
        command: 'python3 sign.py',
        text: `import base64, json, sys, time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ORIGIN = "${origin}"
KEY_ID = "${keyId}"
with open("${KEY_FILE}", "rb") as file:
    KEY = serialization.load_pem_private_key(file.read(), password=None)


def encoded(data):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# More rules: nbf, countries=["TW"], addresses=["192.0.2.0/24"], referrers=["www.example.com"]
def signed_url(folder, file, seconds, **rules):
    claims = {"host": urlsplit(ORIGIN).hostname, "path": folder, "exp": int(time.time()) + seconds, **rules}
    text = encoded({"alg": "ES256", "typ": "JWT", "kid": KEY_ID}) + "." + encoded(claims)
    r, s = utils.decode_dss_signature(KEY.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"{ORIGIN}{folder}{file}?token={text}.{signature}"


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "${folder}"
    print(signed_url(folder, "${file}", 6 * 3600))
`,
      }
    case 'php':
      return {
        file: 'sign.php',
        command: 'php sign.php',
        text: `<?php
const ORIGIN = '${origin}';
const KEY_ID = '${keyId}';
const KEY_FILE = __DIR__ . '/${KEY_FILE}';

function encoded(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

// A signature of OpenSSL is two numbers in DER; a token has 32 bytes of each.
function two_numbers(string $der): string
{
    $at = 2;
    $numbers = '';
    for ($i = 0; $i < 2; $i++) {
        $length = ord($der[$at + 1]);
        $numbers .= str_pad(ltrim(substr($der, $at + 2, $length), "\\0"), 32, "\\0", STR_PAD_LEFT);
        $at += 2 + $length;
    }
    return $numbers;
}

// More rules: 'nbf', 'countries' => ['TW'], 'addresses' => ['192.0.2.0/24'], 'referrers' => ['www.example.com']
function signed_url(string $folder, string $file, int $seconds, array $rules = []): string
{
    $claims = ['host' => parse_url(ORIGIN, PHP_URL_HOST), 'path' => $folder, 'exp' => time() + $seconds] + $rules;
    $text = encoded(json_encode(['alg' => 'ES256', 'typ' => 'JWT', 'kid' => KEY_ID])) . '.' . encoded(json_encode($claims));
    openssl_sign($text, $der, file_get_contents(KEY_FILE), OPENSSL_ALGO_SHA256);
    return ORIGIN . $folder . $file . '?token=' . $text . '.' . encoded(two_numbers($der));
}

if (PHP_SAPI === 'cli') {
    echo signed_url($argv[1] ?? '${folder}', '${file}', 6 * 3600), "\\n";
}
`,
      }
    case 'go':
      return {
        file: 'sign.go',
        command: 'go run sign.go',
        text: `package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"time"
)

const origin = "${origin}"
const keyID = "${keyId}"

func encoded(value any) string {
	data, isBytes := value.([]byte)
	if !isBytes {
		data, _ = json.Marshal(value)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func readKey(file string) (*ecdsa.PrivateKey, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("%s is no PEM", file)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	signer, isEcdsa := key.(*ecdsa.PrivateKey)
	if !isEcdsa {
		return nil, fmt.Errorf("%s holds another kind of key", file)
	}
	return signer, nil
}

// More rules: "nbf", "countries": []string{"TW"}, "addresses": []string{"192.0.2.0/24"}, "referrers": []string{"www.example.com"}
func signedURL(key *ecdsa.PrivateKey, folder, file string, lasts time.Duration, rules map[string]any) (string, error) {
	at, err := url.Parse(origin)
	if err != nil {
		return "", err
	}
	claims := map[string]any{"host": at.Hostname(), "path": folder, "exp": time.Now().Add(lasts).Unix()}
	for name, value := range rules {
		claims[name] = value
	}
	text := encoded(map[string]string{"alg": "ES256", "typ": "JWT", "kid": keyID}) + "." + encoded(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return origin + folder + file + "?token=" + text + "." + encoded(signature), nil
}

func main() {
	folder := "${folder}"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	key, err := readKey("${KEY_FILE}")
	if err != nil {
		panic(err)
	}
	signed, err := signedURL(key, folder, "${file}", 6*time.Hour, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(signed)
}
`,
      }
  }
}
