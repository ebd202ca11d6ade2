import type { RoleName } from '../roles/role.ts'
import { ACCOUNT, COMMAND, HOME, SETTINGS, SYSUSERS, TMPFILES, UNIT } from './places.ts'

export type ServiceFile = { path: string; mode: number; text: string }

export type ServiceOptions = {
  /** Where the checkout lies on the machine that the service runs on. */
  checkout: string
  /** Null is all of the product. */
  roles: readonly RoleName[] | null
  /** Whether the keeper can tell systemd how it is. */
  notifies: boolean
}

/** Everything that the service is made of, but the settings: those are the operator's. */
export function serviceFiles(options: ServiceOptions): ServiceFile[] {
  return [
    { path: SYSUSERS, mode: 0o644, text: `u ${ACCOUNT} - "Fairway" ${HOME} /usr/sbin/nologin\n` },
    { path: TMPFILES, mode: 0o644, text: tmpfiles() },
    { path: UNIT, mode: 0o644, text: unit(options) },
    { path: COMMAND, mode: 0o755, text: command(options) },
  ]
}

/** What a first installation begins with; an existing one stays as it is. */
export const FIRST_SETTINGS = `# Settings of Fairway, one KEY=value a line; all of them: fairway help settings
# After a change: systemctl restart fairway
#
# Name servers and edge of a machine on the internet:
# FAIRWAY_DNS_LISTEN=0.0.0.0:53
# FAIRWAY_EDGE_HTTP=0.0.0.0:80
# FAIRWAY_EDGE_HTTPS=0.0.0.0:443
# Where the world reaches them, IPv4 and IPv6, which DNS then says: needed where no interface has the public address
# (NAT of a cloud, containers).
# FAIRWAY_DNS_ADDRESSES=192.0.2.10,2001:db8::10
# FAIRWAY_EDGE_ADDRESSES=192.0.2.10,2001:db8::10
#
# The console stands behind a proxy that speaks TLS:
# FAIRWAY_PUBLIC_URL=https://console.example.com
# FAIRWAY_TRUSTED_PROXIES=127.0.0.1
# Or the console speaks TLS itself, where the edge does not have that port:
# FAIRWAY_TLS_LISTEN=0.0.0.0:8443
# FAIRWAY_TLS_CERT=/etc/fairway/console.pem
# FAIRWAY_TLS_KEY=/etc/fairway/console.key
# Or it orders its certificate itself:
# FAIRWAY_TLS_ACME=lets-encrypt
# FAIRWAY_ACME_LETS_ENCRYPT_URL=https://acme-v02.api.letsencrypt.org/directory
`

/** The one reader of settings looks in the home: there is one file, and it lies where an operator expects it. */
const tmpfiles = (): string => `d ${HOME} 0711 ${ACCOUNT} ${ACCOUNT}
d ${HOME}/tmp 0700 ${ACCOUNT} ${ACCOUNT} 10d
d /etc/fairway 0750 root ${ACCOUNT}
z ${SETTINGS} 0640 root ${ACCOUNT}
L ${HOME}/fairway.conf - - - - ${SETTINGS}
`

/**
 * `KillMode=process`: when the keeper dies, what serves goes on and the next keeper takes it over; a stop is told to
 * the keeper, which ends everything in order. The temporary folder lies in the home, because a private one is taken
 * away while processes that were left still use it. One role that the system kills for its memory must not stop the
 * others. Videos are encoded, and PostgreSQL is watched, in namespaces of user and network.
 */
function unit({ checkout, roles, notifies }: ServiceOptions): string {
  return `[Unit]
Description=Fairway: DNS, CDN steering and edge
Documentation=file:${checkout}/docs/operate.md
Wants=network-online.target
After=network-online.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=${notifies ? 'notify' : 'exec'}
${notifies ? 'NotifyAccess=main\nWatchdogSec=60\n' : ''}User=${ACCOUNT}
Group=${ACCOUNT}
Environment=FAIRWAY_HOME=${HOME} TMPDIR=${HOME}/tmp
ExecStart=${checkout}/fairway up${roles ? ` --roles ${roles.join(',')}` : ''}
ExecReload=${checkout}/fairway reload
Restart=always
RestartSec=1
# A setting that is wrong stays so until somebody mends it.
RestartPreventExitStatus=2
TimeoutStartSec=infinity
TimeoutStopSec=120
KillMode=process
OOMPolicy=continue
LimitNOFILE=524288
LimitCORE=0
# Name servers and edge go before what may wait.
LimitNICE=-10
TasksMax=16384
StateDirectory=fairway
StateDirectoryMode=0711
UMask=0077

AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=user net
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
}

/** The commands as the service's account, with its home: what root would write there the service could not read. */
const command = ({ checkout }: ServiceOptions): string => `#!/bin/sh
# fairway <command>: the commands of ${checkout}/fairway for the installation that runs as a service.
set -eu
case \${1:-help} in service | help | -h | --help) exec ${checkout}/fairway "$@" ;; esac
[ "$(id -u)" -eq 0 ] || exec sudo -- "$0" "$@"
exec runuser -u ${ACCOUNT} -- env -i PATH="$PATH" HOME=${HOME} TMPDIR=${HOME}/tmp FAIRWAY_HOME=${HOME} ${checkout}/fairway "$@"
`
