-- Whether a video is had by MPEG-DASH, too; null until its playlist has been written by a version that makes that.
ALTER TABLE stream_asset ADD COLUMN has_dash boolean;
