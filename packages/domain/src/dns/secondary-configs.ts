export const SECONDARY_SERVERS = [
  { id: 'knot', name: 'Knot' },
  { id: 'nsd', name: 'NSD' },
  { id: 'bind', name: 'BIND' },
  { id: 'powerdns', name: 'PowerDNS' },
] as const
export type SecondaryServer = (typeof SECONDARY_SERVERS)[number]['id']

export type SecondarySetting = { keyName: string; secret: string; catalog: string; host: string; port: number }

/** What stands in the configuration of a secondary; those that read catalogs follow every zone by themselves. */
export function secondaryConfig(
  server: SecondaryServer,
  { keyName, secret, catalog, host, port }: SecondarySetting,
): string {
  switch (server) {
    case 'knot':
      return `key:
  - id: ${keyName}
    algorithm: hmac-sha256
    secret: ${secret}

remote:
  - id: fairway
    address: ${host}@${port}
    key: ${keyName}

acl:
  - id: fairway-notify
    key: ${keyName}
    action: notify

template:
  - id: fairway-zone
    master: fairway
    acl: fairway-notify

zone:
  - domain: ${catalog}
    master: fairway
    acl: fairway-notify
    catalog-role: interpret
    catalog-template: fairway-zone
`
    case 'nsd':
      return `server:
  # Serves a change when it has come, not up to a second later.
  xfrd-reload-timeout: 0

key:
  name: "${keyName}"
  algorithm: hmac-sha256
  secret: "${secret}"

pattern:
  name: "fairway"
  request-xfr: ${host}@${port} ${keyName}
  allow-notify: 0.0.0.0/0 ${keyName}

zone:
  name: example.com
  include-pattern: "fairway"
`
    case 'bind':
      return `key "${keyName}" {
  algorithm hmac-sha256;
  secret "${secret}";
};

options {
  catalog-zones {
    zone "${catalog}" default-primaries { ${host} port ${port} key "${keyName}"; };
  };
};

zone "${catalog}" {
  type secondary;
  file "${catalog}.zone";
  primaries { ${host} port ${port} key "${keyName}"; };
  allow-notify { key "${keyName}"; };
};
`
    case 'powerdns':
      return `pdnsutil import-tsig-key ${keyName} hmac-sha256 '${secret}'
pdnsutil create-secondary-zone ${catalog} ${host}:${port}
pdnsutil set-kind ${catalog} consumer
pdnsutil activate-tsig-key ${catalog} ${keyName} secondary
pdns_control retrieve ${catalog}
# For each zone that the catalog has brought:
pdnsutil activate-tsig-key example.com ${keyName} secondary
pdns_control retrieve example.com
`
  }
}
