public import MdocKit
import Synchronization

/// The place where ``TrustedIssuers`` are kept.
///
/// The content is opaque bytes. An implementation returns what was written last, unchanged, or throws: anyone with
/// write access to the place can add trust anchors. Whatever interrupts ``update(_:)``, either the old or the new content is there
/// afterwards.
public protocol TrustedIssuerStore: Sendable {
    /// The content; nil if nothing was written yet.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    func content() throws(MdocError) -> [UInt8]?

    /// Replaces the content by a change of it, while no other change is made, in this process or another.
    ///
    /// - Parameter change: Returns the new content for the old one; what it throws is thrown, and nothing is changed.
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    func update(_ change: ([UInt8]?) throws(MdocError) -> [UInt8]) throws(MdocError)
}

/// A store of trusted issuers in memory, which is gone with the process.
public final class InMemoryTrustedIssuerStore: TrustedIssuerStore {
    private let bytes: Mutex<[UInt8]?>

    /// A store, empty or with the content of another one.
    public init(_ content: [UInt8]? = nil) {
        bytes = Mutex(content)
    }

    /// The content; nil if nothing was written yet.
    public func content() -> [UInt8]? { bytes.withLock { $0 } }

    /// Replaces the content by a change of it.
    public func update(_ change: ([UInt8]?) throws(MdocError) -> [UInt8]) throws(MdocError) {
        try bytes.withLock { (bytes) throws(MdocError) in bytes = try change(bytes) }
    }
}
