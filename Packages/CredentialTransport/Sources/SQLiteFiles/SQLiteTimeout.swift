/// The time that SQLite waits for a lock, as its interfaces take it.
public enum SQLiteTimeout {
    /// The longest time in milliseconds, which SQLite counts in 32 bits: about 24.8 days.
    private static let maximumMilliseconds: Double = 2_147_483_647

    /// The seconds of a duration: none for a negative one, and the longest time that SQLite knows for a longer one.
    public static func seconds(_ duration: Duration) -> Double {
        min(max(duration / .milliseconds(1), 0), maximumMilliseconds).rounded(.down) / 1000
    }
}
