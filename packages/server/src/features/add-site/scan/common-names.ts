/**
 * Names that sites often have. A list cannot be complete: it is the second best way, after a transfer or a zone file.
 */
const HOSTS =
  `www mail webmail smtp imap pop pop3 mx mx1 mx2 mx3 email exchange owa autodiscover autoconfig mta mta-sts relay bounce lists newsletter mailgun sendgrid em
  ftp sftp files file share cloud drive nas backup vpn remote rdp gateway gw proxy firewall router
  api api2 app apps m mobile beta alpha dev develop test testing stage staging uat qa demo sandbox preview preprod prod
  blog shop store cart pay payment checkout billing account accounts my login auth sso id oauth portal admin panel cpanel whm plesk dashboard console manage crm erp
  cdn static assets img image images media video videos stream live download downloads upload css js fonts
  docs doc help support status wiki forum community news events jobs careers about partner partners
  git gitlab svn ci jenkins build registry docker grafana monitor metrics logs kibana sentry jira confluence
  db mysql sql redis search solr ns ns1 ns2 ns3 ns4 dns dns1 dns2 web web1 web2 server server1 host origin www1 www2 ww old new home intranet internal office
  chat meet sip voip calendar contacts go link links track tracking click stats analytics data maps secure ssl en de fr es cn hk tw jp us eu uk`.split(
    /\s+/,
  )

const TEXTS =
  `_dmarc _mta-sts _smtp._tls default._bimi _acme-challenge _domainconnect _dnslink _atproto _github-pages-challenge _vercel _amazonses _domainkey
  default._domainkey selector1._domainkey selector2._domainkey google._domainkey k1._domainkey k2._domainkey k3._domainkey s1._domainkey s2._domainkey mail._domainkey dkim._domainkey
  smtp._domainkey mx._domainkey mandrill._domainkey zoho._domainkey fm1._domainkey fm2._domainkey fm3._domainkey protonmail._domainkey protonmail2._domainkey protonmail3._domainkey
  sig1._domainkey pm._domainkey mailjet._domainkey sendgrid._domainkey everlytickey1._domainkey 20230601._domainkey cm._domainkey krs._domainkey`.split(
    /\s+/,
  )

const SERVICES =
  `_sip._tcp _sip._udp _sips._tcp _sipfederationtls._tcp _xmpp-client._tcp _xmpp-server._tcp _autodiscover._tcp _imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp _submission._tcp _submissions._tcp
  _caldav._tcp _caldavs._tcp _carddav._tcp _carddavs._tcp _ldap._tcp _kerberos._tcp _kerberos._udp _matrix._tcp _matrix-fed._tcp _minecraft._tcp _stun._udp _turn._udp _h323cs._tcp _jabber._tcp
  _443._tcp _443._tcp.www _25._tcp _25._tcp.mail`.split(/\s+/)

/** What is asked first, below the zone; what their answers name comes after. */
export const COMMON_NAMES: readonly string[] = [...new Set([...HOSTS, ...TEXTS, ...SERVICES])]

/** Types that are asked of a name that exists and is no alias. */
export function typesFor(name: string): readonly string[] {
  if (/^_\d+\._(?:tcp|udp|sctp)\b/.test(name)) return ['TLSA', 'TXT']
  if (/^_[^.]+\._(?:tcp|udp|tls)\b/.test(name)) return ['SRV', 'TXT']
  return name.startsWith('_') || name.includes('._domainkey')
    ? ['TXT']
    : ['A', 'AAAA', 'MX', 'TXT', 'CAA', 'HTTPS', 'SSHFP']
}
