/**
 * What CDNs may not serve any more, as rows of SQL: all that lies under a removed video, or in a removed folder of one,
 * and files that stand for another now. `at` is when that was so for the last time.
 */
export const STREAM_MARKS = `SELECT kind, value, organization_id, deleted_at, coalesce(files_removed_at, deleted_at) AS at
  FROM (SELECT 'directory' AS kind, '/' || id || '/' AS value, organization_id, deleted_at, files_removed_at FROM stream_asset WHERE replaces IS NULL
    UNION ALL SELECT 'directory', '/' || id || '/', organization_id, coalesce(deleted_at, emptied_at), files_removed_at FROM stream_live
    UNION ALL SELECT 'directory', '/' || asset_id || '/' || folder || '/', organization_id, deleted_at, files_removed_at FROM stream_gone
    UNION ALL SELECT 'url', '/' || asset_id || '/poster.jpg', organization_id, applied_at, NULL FROM stream_thumbnail
    UNION ALL SELECT 'url', '/' || id || '/' || picture, organization_id, replaced_at, NULL FROM stream_asset, unnest(ARRAY['poster.jpg', 'sprite.jpg', 'sprite.vtt']) picture WHERE deleted_at IS NULL) gone`
