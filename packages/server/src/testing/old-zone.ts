/**
 * A zone of 60 names and a wildcard as a small company has it at its old nameserver. `SERIAL` in the SOA is filled in
 * when it is replaced.
 */
export function oldZone(zone: string, nameserver: string): string {
  const hosts = [
    'www',
    'mail',
    'webmail',
    'smtp',
    'imap',
    'ftp',
    'vpn',
    'api',
    'app',
    'm',
    'dev',
    'test',
    'staging',
    'demo',
    'blog',
    'shop',
    'store',
    'pay',
    'login',
    'auth',
    'sso',
    'portal',
    'admin',
    'cdn',
    'static',
    'assets',
    'img',
    'images',
    'video',
    'download',
    'docs',
    'help',
    'support',
    'status',
    'wiki',
    'forum',
    'news',
    'events',
    'jobs',
    'git',
    'ci',
    'monitor',
    'db',
    'intranet',
  ]
  const addresses = hosts.map((name, index) => `${name} IN A 198.51.100.${index + 10}`)
  return `$TTL 3600
@ IN SOA ${nameserver}. hostmaster.${zone}. SERIAL 7200 1800 1209600 300
@ IN NS ${nameserver}.
@ IN A 198.51.100.1
@ 600 IN MX 10 mx1
@ 600 IN MX 20 mail
@ IN TXT "v=spf1 include:_spf.${zone} a:relay-7.${zone} -all"
_spf IN TXT "v=spf1 ip4:198.51.100.0/24 -all"
relay-7 IN A 198.51.100.7
mx1 IN A 198.51.100.5
mx1 IN AAAA 2001:db8::5
_dmarc IN TXT "v=DMARC1; p=reject; rua=mailto:d@reports-9.${zone}"
reports-9 IN MX 5 mx1
google._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC"
selector1._domainkey IN CNAME selector1.mailer.example.net.
autodiscover IN CNAME odd-target
odd-target IN A 198.51.100.8
* 120 IN A 198.51.100.200
* 120 IN TXT "nobody is here"
go IN A 198.51.100.200
go IN TXT "nobody is here"
beta IN A 198.51.100.200
eu IN NS ns1.eu
ns1.eu IN A 198.51.100.9
home IN CNAME www
${addresses.join('\n')}
`
}
