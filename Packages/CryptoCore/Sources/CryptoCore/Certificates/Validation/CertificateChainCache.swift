import Synchronization
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps chains that were found valid, so that the next message of the same signer costs no signature check of them.
///
/// An entry answers only for exactly the bytes of the chain, the same anchors and the same policy, at times within the
/// validity of all its certificates, and within the lifetime around the time it was validated for. Chains found
/// invalid are never kept, nor those with certificates beyond the anchor. Revocation is not part of an entry.
///
/// The number of entries is bounded; those not used for longest are dropped, in halves of the capacity. One cache may
/// be shared by many validators and tasks.
public final class CertificateChainCache: Sendable {
    /// The largest number of chains that are kept.
    public let capacity: Int

    /// For how many seconds before and after the time it was validated for an entry answers.
    public let lifetime: TimeInterval

    private let generations: Mutex<Generations>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: The largest number of chains; less than 2 counts as 2.
    ///   - lifetime: In seconds, measured in the times that validations are made for; the cache reads no clock.
    public init(capacity: Int = 1024, lifetime: TimeInterval = 3600) {
        self.capacity = max(2, capacity)
        self.lifetime = lifetime
        generations = Mutex(Generations(generationSize: max(2, capacity) / 2))
    }

    /// The number of cached chains.
    public var count: Int { generations.withLock { $0.count } }

    /// Drops everything.
    public func removeAll() {
        generations.withLock { $0.removeAll() }
    }

    func verification(
        of chain: [ArraySlice<UInt8>],
        context: CertificateChainContext,
        at time: Date
    ) -> Verification<ValidatedCertificateChain>? {
        let found = generations.withLock { $0.value(for: Key(context: context, chain: chain)) }
        guard let found, found.verified?.isWithinValidity(at: time) == true,
            abs(time.timeIntervalSince(found.time)) <= lifetime
        else { return nil }
        return found
    }

    func insert(
        _ verification: Verification<ValidatedCertificateChain>,
        for chain: [ArraySlice<UInt8>],
        context: CertificateChainContext
    ) {
        generations.withLock { $0.insert(verification, for: Key(context: context, chain: chain)) }
    }

    /// The chain's bytes, with the anchors and the policy.
    private struct Key: Hashable {
        let context: CertificateChainContext
        let chain: [ArraySlice<UInt8>]

        static func == (left: Key, right: Key) -> Bool {
            left.context == right.context && left.chain.count == right.chain.count
                && zip(left.chain, right.chain).allSatisfy { $0.hasSameBytes(as: $1) }
        }

        func hash(into hasher: inout Hasher) {
            // The end of the first certificate, its signature, tells chains apart; comparing the keys looks at all of them.
            guard let signature = chain.first?.suffix(64) else { return }
            unsafe signature.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// Two generations: what is used moves to the young one; when that is full, it becomes the old one, and what was in
    /// the old one is dropped.
    private struct Generations {
        let generationSize: Int
        var young: [Key: Verification<ValidatedCertificateChain>] = [:]
        var old: [Key: Verification<ValidatedCertificateChain>] = [:]

        init(generationSize: Int) {
            self.generationSize = generationSize
        }

        var count: Int { young.count + old.count }

        mutating func value(for key: Key) -> Verification<ValidatedCertificateChain>? {
            if let found = young[key] { return found }
            guard let index = old.index(forKey: key) else { return nil }
            // The stored key goes along: the one asked with may hold on to a whole message.
            let (stored, found) = old.remove(at: index)
            insert(found, for: stored)
            return found
        }

        mutating func insert(_ value: Verification<ValidatedCertificateChain>, for key: Key) {
            old[key] = nil
            young[key] = value
            guard young.count >= generationSize else { return }
            old = young
            young = [:]
        }

        mutating func removeAll() {
            young = [:]
            old = [:]
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns `true` if both hold the same bytes, eight at a time: `==` goes element by element.
    fileprivate func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { other in
                let words = bytes.count & ~7
                for offset in stride(from: 0, to: words, by: 8) {
                    let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    guard unsafe word == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
                        return false
                    }
                }
                return unsafe bytes[words...].elementsEqual(other[words...])
            }
        }
    }
}
