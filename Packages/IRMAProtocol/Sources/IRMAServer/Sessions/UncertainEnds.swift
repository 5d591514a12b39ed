import CryptoCore
import Synchronization

/// Ends of sessions of which a process does not know whether the store has made them, for a later look.
final class UncertainEnds: Sendable {
    private static let maximumCount = 1000

    /// The tokens of requestors, with the digests of the sessions' encodings.
    private let ends = Mutex<[String: [UInt8]]>([:])

    /// Keeps the end of a session; `false` for one beyond the bound, which is dropped.
    func add(_ token: String, encoding: [UInt8]) -> Bool {
        add(token, digest: HashAlgorithm.sha256.digest(of: encoding))
    }

    /// Keeps an end once more, whose look failed; `false` for one beyond the bound.
    @discardableResult
    func add(_ token: String, digest: [UInt8]) -> Bool {
        ends.withLock { ends in
            guard ends.count < Self.maximumCount else { return false }
            ends[token] = digest
            return true
        }
    }

    /// Drops the end of a session, which is told elsewhere; `false` for one that was not kept.
    func forget(_ token: String) -> Bool { ends.withLock { $0.removeValue(forKey: token) != nil } }

    /// Takes all ends: they leave the list.
    func takeAll() -> [String: [UInt8]] {
        ends.withLock { ends in
            defer { ends = [:] }
            return ends
        }
    }
}
