import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { Feed, type FeedSource, type FeedState, type Item } from './feed.ts';
import { useLiveState } from './live.ts';

/**
 * A feed for as long as the page shows it.
 * @param key what the source depends on; another key begins another list
 * @param hear connects the feed to what comes live; the function returned ends it
 */
export function useFeed<Row extends Item>(
  key: string,
  source: FeedSource<Row>,
  hear: (feed: Feed<Row>) => () => void,
): { feed: Feed<Row>; state: FeedState<Row> } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source
  const feed = useMemo(() => new Feed(source), [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is heard as well
  useEffect(() => {
    feed.open();
    // Hears before it asks, so that nothing falls between the two.
    const end = hear(feed);
    void feed.fetchMore();
    return () => {
      end();
      feed.close();
    };
  }, [feed]);
  const live = useLiveState();
  useEffect(() => {
    if (live === 'open') void feed.catchUp();
  }, [live, feed]);
  const state = useSyncExternalStore(
    (watcher) => feed.watch(watcher),
    () => feed.state,
  );
  return { feed, state };
}
