"""Issues of the feed as tickets in other systems: one ticket an issue, updated in place, without anybody's texts."""
