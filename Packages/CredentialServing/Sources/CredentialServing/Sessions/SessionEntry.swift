#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session as a store keeps it: a versioned value under a key, found by secondary keys as well.
///
/// The value and the expiry may change with a swap. The keys are those of the insertion.
public struct SessionEntry: Hashable, Sendable {
    /// The key.
    public let key: SessionKey
    /// Further keys that lead to the session.
    ///
    /// They are a namespace of their own, so that a token of one kind is never taken for one of the other.
    public let secondaryKeys: [SessionKey]
    /// The value.
    public var value: [UInt8]
    /// The end of the session in milliseconds since 1970.
    public private(set) var expiryMilliseconds: Int64
    /// The version of the value.
    public private(set) var version: SessionVersion

    /// A session.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - secondaryKeys: Further keys that lead to the session.
    ///   - value: The value.
    ///   - expiry: The time from which the session is no longer returned, kept in whole milliseconds.
    ///   - version: The version: a first one for a session that is to be inserted.
    public init(
        key: SessionKey,
        secondaryKeys: [SessionKey] = [],
        value: [UInt8],
        expiry: Date,
        version: SessionVersion = .first()
    ) {
        self.init(
            key: key,
            secondaryKeys: secondaryKeys,
            value: value,
            expiryMilliseconds: SessionClock.milliseconds(expiry),
            version: version
        )
    }

    /// A session whose expiry is in milliseconds since 1970.
    public init(
        key: SessionKey,
        secondaryKeys: [SessionKey],
        value: [UInt8],
        expiryMilliseconds: Int64,
        version: SessionVersion
    ) {
        self.key = key
        self.secondaryKeys = secondaryKeys
        self.value = value
        self.expiryMilliseconds = expiryMilliseconds
        self.version = version
    }

    /// The time from which the session is no longer returned.
    public var expiry: Date {
        get { Date(timeIntervalSince1970: Double(expiryMilliseconds) / 1000) }
        set { expiryMilliseconds = SessionClock.milliseconds(newValue) }
    }

    /// Takes the value and the expiry of another entry.
    mutating func replace(with entry: SessionEntry, version: SessionVersion) {
        value = entry.value
        expiryMilliseconds = entry.expiryMilliseconds
        self.version = version
    }

    /// Takes the version that a swap has given the value.
    mutating func advance(to version: SessionVersion) { self.version = version }

    /// The same session at another version.
    public func with(version: SessionVersion) -> SessionEntry {
        SessionEntry(
            key: key,
            secondaryKeys: secondaryKeys,
            value: value,
            expiryMilliseconds: expiryMilliseconds,
            version: version
        )
    }
}

extension SessionEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size, the version and the expiry, without keys and value.
    public var description: String { "session of \(value.count) bytes, \(version), until \(expiryMilliseconds) ms" }

    /// The size, the version and the expiry, without keys and value.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` prints neither keys nor value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
