import type { ScriptLanguage } from '@fairway/contract'
import { KEY_FILE, type SignScript } from './sign-script.ts'

/**
 * What a customer's server runs to sign for its own CloudFront: a custom policy for a folder, by RSA and SHA-1, which is
 * what CloudFront checks. Playlists take the query of their own address on to what they name.
 */
export function cloudfrontScript(
  language: ScriptLanguage,
  { keyPairId, origin, folder, file }: { keyPairId: string; origin: string; folder: string; file: string },
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
const KEY_PAIR_ID = '${keyPairId}'
const KEY = fs.readFileSync('${KEY_FILE}')

const safe = (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~')

// More conditions: DateGreaterThan: { 'AWS:EpochTime': 1767225600 }, IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' }
function signedUrl(folder, file, seconds, conditions = {}) {
  const until = Math.floor(now() / 1000) + seconds
  const condition = { DateLessThan: { 'AWS:EpochTime': until }, ...conditions }
  const policy = Buffer.from(JSON.stringify({ Statement: [{ Resource: \`\${ORIGIN}\${folder}*\`, Condition: condition }] }))
  const signature = crypto.sign('sha1', policy, KEY)
  return \`\${ORIGIN}\${folder}\${file}?Policy=\${safe(policy)}&Signature=\${safe(signature)}&Key-Pair-Id=\${KEY_PAIR_ID}\`
}

if (require.main === module) console.log(signedUrl(argv[2] ?? '${folder}', '${file}', 6 * 3600))
`,
      }
    case 'python':
      return {
        file: 'sign.py',
        command: 'python3 sign.py',
        text: `import base64, json, sys, time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

ORIGIN = "${origin}"
KEY_PAIR_ID = "${keyPairId}"
with open("${KEY_FILE}", "rb") as file:
    KEY = serialization.load_pem_private_key(file.read(), password=None)


def safe(data):
    return base64.b64encode(data).decode().translate(str.maketrans("+=/", "-_~"))


# More conditions: {"DateGreaterThan": {"AWS:EpochTime": 1767225600}, "IpAddress": {"AWS:SourceIp": "192.0.2.0/24"}}
def signed_url(folder, file, seconds, conditions={}):
    condition = {"DateLessThan": {"AWS:EpochTime": int(time.time()) + seconds}, **conditions}
    policy = json.dumps({"Statement": [{"Resource": f"{ORIGIN}{folder}*", "Condition": condition}]}).encode()
    signature = KEY.sign(policy, padding.PKCS1v15(), hashes.SHA1())
    return f"{ORIGIN}{folder}{file}?Policy={safe(policy)}&Signature={safe(signature)}&Key-Pair-Id={KEY_PAIR_ID}"


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
const KEY_PAIR_ID = '${keyPairId}';
const KEY_FILE = __DIR__ . '/${KEY_FILE}';

function safe(string $bytes): string
{
    return strtr(base64_encode($bytes), '+=/', '-_~');
}

// More conditions: ['DateGreaterThan' => ['AWS:EpochTime' => 1767225600], 'IpAddress' => ['AWS:SourceIp' => '192.0.2.0/24']]
function signed_url(string $folder, string $file, int $seconds, array $conditions = []): string
{
    $condition = ['DateLessThan' => ['AWS:EpochTime' => time() + $seconds]] + $conditions;
    $statement = ['Resource' => ORIGIN . $folder . '*', 'Condition' => $condition];
    $policy = json_encode(['Statement' => [$statement]], JSON_UNESCAPED_SLASHES);
    openssl_sign($policy, $signature, file_get_contents(KEY_FILE), OPENSSL_ALGO_SHA1);
    return ORIGIN . $folder . $file . '?Policy=' . safe($policy) . '&Signature=' . safe($signature) . '&Key-Pair-Id=' . KEY_PAIR_ID;
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
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"time"
)

const origin = "${origin}"
const keyPairID = "${keyPairId}"

func safe(data []byte) string {
	return strings.NewReplacer("+", "-", "=", "_", "/", "~").Replace(base64.StdEncoding.EncodeToString(data))
}

func readKey(file string) (*rsa.PrivateKey, error) {
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
	signer, isRSA := key.(*rsa.PrivateKey)
	if !isRSA {
		return nil, fmt.Errorf("%s holds another kind of key", file)
	}
	return signer, nil
}

// More conditions: "DateGreaterThan": map[string]any{"AWS:EpochTime": 1767225600}, "IpAddress": map[string]any{"AWS:SourceIp": "192.0.2.0/24"}
func signedURL(key *rsa.PrivateKey, folder, file string, lasts time.Duration, conditions map[string]any) (string, error) {
	condition := map[string]any{"DateLessThan": map[string]any{"AWS:EpochTime": time.Now().Add(lasts).Unix()}}
	for name, value := range conditions {
		condition[name] = value
	}
	statement := map[string]any{"Resource": origin + folder + "*", "Condition": condition}
	policy, err := json.Marshal(map[string]any{"Statement": []any{statement}})
	if err != nil {
		return "", err
	}
	digest := sha1.Sum(policy)
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA1, digest[:])
	if err != nil {
		return "", err
	}
	return origin + folder + file + "?Policy=" + safe(policy) + "&Signature=" + safe(signature) + "&Key-Pair-Id=" + keyPairID, nil
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
