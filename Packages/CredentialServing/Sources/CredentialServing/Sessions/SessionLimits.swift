/// The sizes that a store takes.
public struct SessionLimits: Hashable, Sendable {
    /// The largest key in bytes.
    public var maximumKeySize: Int
    /// The largest number of secondary keys of a session.
    public var maximumSecondaryKeys: Int
    /// The largest value in bytes.
    public var maximumValueSize: Int

    /// Keys of 256 bytes, 8 secondary keys, values of 1 MiB.
    public static let `default` = SessionLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(maximumKeySize: Int = 256, maximumSecondaryKeys: Int = 8, maximumValueSize: Int = 1 << 20) {
        self.maximumKeySize = maximumKeySize
        self.maximumSecondaryKeys = maximumSecondaryKeys
        self.maximumValueSize = maximumValueSize
    }

    /// Checks a session that is to be inserted.
    ///
    /// - Parameters:
    ///   - entry: The session.
    ///   - now: The time in milliseconds since 1970.
    public func checkInsertion(_ entry: SessionEntry, at now: Int64) throws(SessionStoreError) {
        try check(entry.key)
        guard entry.secondaryKeys.count <= maximumSecondaryKeys else {
            throw SessionStoreError(
                .tooLarge,
                "\(entry.secondaryKeys.count) secondary keys, the limit is \(maximumSecondaryKeys)"
            )
        }
        for key in entry.secondaryKeys { try check(key) }
        guard Set(entry.secondaryKeys).count == entry.secondaryKeys.count else {
            throw SessionStoreError(.invalidKey, "a secondary key is repeated")
        }
        guard entry.version.number == 1 else {
            throw SessionStoreError(.invalidVersion, "a session starts at version 1, not at \(entry.version.number)")
        }
        try checkValue(entry, at: now)
    }

    /// Checks the value and the expiry of a session that is to be swapped.
    public func checkValue(_ entry: SessionEntry, at now: Int64) throws(SessionStoreError) {
        guard entry.value.count <= maximumValueSize else {
            throw SessionStoreError(
                .tooLarge,
                "a value of \(entry.value.count) bytes, the limit is \(maximumValueSize)"
            )
        }
        guard entry.expiryMilliseconds > now else {
            throw SessionStoreError(.invalidExpiry, "the expiry is not in the future")
        }
    }

    private func check(_ key: SessionKey) throws(SessionStoreError) {
        guard !key.bytes.isEmpty else { throw SessionStoreError(.invalidKey, "an empty key") }
        guard key.bytes.count <= maximumKeySize else {
            throw SessionStoreError(.tooLarge, "a key of \(key.bytes.count) bytes, the limit is \(maximumKeySize)")
        }
    }
}
