export { trustApiAuthorities } from './api-authorities.ts'
export * from './backup/archive-lines.ts'
export {
  type KeptBackup,
  type LogTrouble,
  backupFolderOf,
  backupOldAfterMs,
  chainBackups,
  failedProof,
  followsLog,
  isAhead,
  isBackupName,
  keptBackups,
  logTrouble,
  newestBackups,
  noteFailedProof,
  noteKept,
  notePassedProof,
  proofOf,
  proofTrouble,
} from './backup/backup-folder.ts'
export { BackupError } from './backup/backup-error.ts'
export * from './backup/chain/chain.ts'
export * from './backup/chain/chain-notes.ts'
export * from './backup/chain/database-files.ts'
export * from './backup/chain/database-log.ts'
export * from './backup/chain/records.ts'
export * from './backup/chain/wal-parts.ts'
export { DatabaseReader, DatabaseWriter } from './backup/database-rows.ts'
export { type Restoration, readRestored, writeRestored } from './backup/restored.ts'
export { RowSum } from './backup/row-sum.ts'
export { checkPassphrase, openArchive, sealArchive } from './backup/sealed-archive.ts'
export {
  type ConnectionBounds,
  addressList,
  boundConnections,
  boundedServer,
  withoutMapping,
} from './bound-connections.ts'
export * from './certificate-files.ts'
export { clearWays, saidOfClearWays } from './clear-ways.ts'
export {
  addressTrouble,
  edgeHost,
  type FoundRole,
  isEdgeLocal,
  isLoopback,
  isOwnAddress,
  isWildcard,
  localHost,
  ownAddresses,
  isWebrtcOffered,
  webrtcAddresses,
  webrtcTrouble,
} from './own-addresses.ts'
export { isPublishable } from './publishable-address.ts'
export {
  askCollector,
  type CollectorCaller,
  CollectorChoice,
  collectorAuthorization,
  collectorsOf,
  hasSeveralCollectors,
  isCollectorCaller,
} from './collectors.ts'
export { readClickhouseUrl } from './clickhouse-address.ts'
export * from './config.ts'
export * from './control.ts'
export * from './control-error.ts'
export * from './database/connection.ts'
export * from './database/database.ts'
export { watchDue } from './database/due-watch.ts'
export { type Election, standForElection } from './database/election.ts'
export * from './database/embedded.ts'
export { DatabaseAway } from './database/database-away.ts'
export * from './database/database-error.ts'
export { copyDatabase } from './database/database-template.ts'
export { inspectReplicas } from './database/inspect-replicas.ts'
export { NOWHERE } from './database/log-position.ts'
export * from './database/migrate.ts'
export { type RecoveryTarget, recoverDatabase } from './database/recover.ts'
export * from './database/refusal.ts'
export { startStreamingPair } from './database/replica-under-test.ts'
export { serverThatWrites } from './database/server-that-writes.ts'
export {
  PENDING_SHARE,
  type Disk,
  type DiskGauge,
  type DiskLevel,
  diskGauge,
  diskLevel,
  diskMarks,
  diskOf,
  roomForVideo,
  isDiskLow,
  nearestFolder,
  saidOfDisk,
  sharesDisk,
} from './disk.ts'
export { fillReserve, giveUpReserve, heldReserve, missingReserve } from './disk-reserve.ts'
export { DnsClient, type DnsClientOptions } from './dns-client/dns-client.ts'
export type { AnsweredRecord, DnsReply } from './dns-client/dns-message.ts'
export { transferZone } from './dns-client/dns-stream.ts'
export { fetchZone, isLater, serialOf, type FetchProblem, type FetchedZone } from './dns-client/fetch-zone.ts'
export { readMessage, nameText, type WireData } from './dns-client/wire-message.ts'
export { TSIG_ERROR, TsigSigner, checkTsig, signRequest, type Signed, type TsigKey } from './dns-client/tsig.ts'
export * from './feed.ts'
export * from './free-address.ts'
export * from './free-ports.ts'
export * from './geo/geo.ts'
export type { GeoHit } from './geo/geo-hit.ts'
export { geoNames } from './geo/geo-names.ts'
export * from './geo/share-geo.ts'
export * from './held-sockets.ts'
export * from './host-port.ts'
export * from './media-address.ts'
export { loadLibc } from './libc.ts'
export * from './log.ts'
export * from './memory.ts'
export * from './metrics.ts'
export * from './mint.ts'
export { openContent } from './open-content.ts'
export { connectTime } from './outgoing/connect-time.ts'
export { OutgoingGate, OutgoingRefusal, type RefusalReason, type Sender } from './outgoing/gate.ts'
export type { Names } from './outgoing/names.ts'
export { ownPeer, type Peer } from './outgoing/peer.ts'
export { targetOf, type OutgoingRequest } from './outgoing/request.ts'
export * from './leaked-passwords.ts'
export * from './node-sealing.ts'
export { notifySocket } from './notify-socket.ts'
export * from './probe/probe-once.ts'
export * from './probe/prober.ts'
export { placeOf } from './place-of.ts'
export * from './problem.ts'
export * from './process-identity.ts'
export { isReportPath, reportAddress, reportReader, type ReportSubject } from './report-address.ts'
export {
  isPeersPath,
  isViewPath,
  peersAddress,
  peersReader,
  viewAddress,
  viewReader,
  type ViewSubject,
} from './view-address.ts'
export { type PeerToken, peerTokens } from './peer-token.ts'
export * from './rule-set-files.ts'
export * from './sealing.ts'
export * from './secrets.ts'
export {
  isStreamHost,
  mediaFolders,
  pathTokenMac,
  previewPath,
  publishToken,
  readPublishToken,
  rtmpUrl,
  streamCdnHost,
  streamCdnTlsOrigin,
  streamCertificateNames,
  streamHost,
  streamKey,
  streamKeyHash,
  streamOrigin,
  streamPort,
  streamSources,
  streamZone,
  vendorPath,
  whipSecret,
} from './stream-place.ts'
export { STREAM_CERTIFICATE, followStreamTls, streamTlsUntil } from './stream-tls.ts'
export { selfSignedCertificate, sharedCertificate } from './self-signed.ts'
export { appendPieces, countPieces, mostPieces, piecesEnd, readPieces } from './storage/pieces.ts'
export { Places, mediaPlace, uploadPrefix } from './storage/places.ts'
export { isS3Place, openStorage, openStored } from './storage/open-storage.ts'
export { type ByteRange, NotStored, type Storage, StorageError, type StoredObject } from './storage/storage.ts'
