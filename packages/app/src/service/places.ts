/** Where the service has its things; the account and the folders are those that Debian's own packages would take. */
export const ACCOUNT = 'fairway'
export const HOME = '/var/lib/fairway'
export const SETTINGS = '/etc/fairway/fairway.conf'
export const UNIT = '/etc/systemd/system/fairway.service'
export const WANTED = '/etc/systemd/system/multi-user.target.wants/fairway.service'
export const SYSUSERS = '/etc/sysusers.d/fairway.conf'
export const TMPFILES = '/etc/tmpfiles.d/fairway.conf'
export const COMMAND = '/usr/local/sbin/fairway'
