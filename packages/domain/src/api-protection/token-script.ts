import type { ScriptLanguage } from '@fairway/contract'

export type TokenScript = {
  /** What the file is called. */ file: string
  /** How it is run. */ command: string
  text: string
}

/**
 * What a customer's server runs to make a token for a path: the second it is made in, a hyphen, and the HMAC of path,
 * line feed and that second. Run by itself it prints the path it is given with a token.
 */
export function tokenScript(
  language: ScriptLanguage,
  { key, parameter, path }: { key: string; parameter: string; path: string },
): TokenScript {
  const sample = path.endsWith('*') ? `${path.slice(0, -1)}example` : path
  // Visible ASCII in double quotes means the same in all but PHP.
  const [said, at] = [JSON.stringify(key), JSON.stringify(sample)]
  switch (language) {
    case 'python':
      return {
        file: 'token.py',
        command: 'python3 token.py',
        text: `import hashlib, hmac, sys, time

KEY = ${said}


def token(path):
    issued = str(int(time.time()))
    mac = hmac.new(KEY.encode(), f"{path}\\n{issued}".encode(), hashlib.sha256)
    return f"{issued}-{mac.hexdigest()}"


if __name__ == "__main__":
    path = sys.argv[1] if len(sys.argv) > 1 else ${at}
    print(f"{path}?${parameter}={token(path)}")
`,
      }
    case 'php':
      return {
        file: 'token.php',
        command: 'php token.php',
        text: `<?php
const KEY = ${phpText(key)};

function token(string $path): string
{
    $issued = (string) time();
    return $issued . '-' . hash_hmac('sha256', $path . "\\n" . $issued, KEY);
}

if (PHP_SAPI === 'cli') {
    $path = $argv[1] ?? ${phpText(sample)};
    echo $path, '?${parameter}=', token($path), "\\n";
}
`,
      }
    case 'go':
      return {
        file: 'token.go',
        command: 'go run token.go',
        text: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"time"
)

const key = ${said}

func token(path string) string {
	issued := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(path + "\\n" + issued))
	return issued + "-" + hex.EncodeToString(mac.Sum(nil))
}

func main() {
	path := ${at}
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	fmt.Println(path + "?${parameter}=" + token(path))
}
`,
      }
    case 'node':
      return {
        file: 'token.cjs',
        command: 'node token.cjs',
        text: `const crypto = require('node:crypto')
const { argv } = require('node:process')

const { now } = Date

const KEY = ${said}

function token(path) {
  const issued = String(Math.floor(now() / 1000))
  const mac = crypto.createHmac('sha256', KEY).update(\`\${path}\\n\${issued}\`)
  return \`\${issued}-\${mac.digest('hex')}\`
}

if (require.main === module) {
  const path = argv[2] ?? ${at}
  console.log(\`\${path}?${parameter}=\${token(path)}\`)
}
`,
      }
  }
}

const phpText = (text: string): string => `'${text.replaceAll(/[\\']/g, (one) => `\\${one}`)}'`
