import CryptoCore
import Foundation
import TestSupport
import Testing

/// Chains that were found valid and are kept.
@Suite
struct CertificateChainCacheTests {
    private static let corpus = Task { try await CertificateCorpus(.p256) }

    @Test
    func hitsGiveTheSameChainForTheSameBytesOnly() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache()
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        let leaf = try await corpus.leaf(by: corpus.root)
        let first = try #require(validator.validate(encodedChain: [leaf.derBytes[...]], at: corpus.noon).verified)
        #expect(cache.count == 1)
        let later = corpus.noon.addingTimeInterval(60)
        let hit = try #require(validator.validate(encodedChain: [leaf.derBytes[...]], at: later).verified)
        #expect(hit == first)
        #expect(hit.validationTime == corpus.noon)
        #expect(validator.validate([leaf], at: later).verified == first)
        let changed = leaf.derBytes.flipping(leaf.derBytes.count * 8 - 1)
        #expect(validator.validate(encodedChain: [changed[...]], at: later).refusal?.reason == .invalidSignature)
        let longer = validator.validate([leaf, corpus.root.certificate], at: later)
        #expect(longer.verified?.validationTime == later)
        #expect(cache.count == 2)
    }

    @Test
    func otherAnchorsOrPoliciesDoNotShareAnEntry() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache()
        let leaf = try await corpus.leaf(by: corpus.root)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        #expect(validator.validate([leaf], at: corpus.noon).refusal == nil)
        let strangers = CertificatePathValidator(anchors: [try Certificate(der: AnnexD.iaca)], cache: cache)
        #expect(strangers.validate([leaf], at: corpus.noon).refusal?.reason == .noTrustAnchor)
        var policy = CertificatePathPolicy()
        policy.leafPurposes = [.mdlDocumentSigner]
        let strict = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy, cache: cache)
        #expect(strict.validate([leaf], at: corpus.noon).refusal?.reason == .missingPurpose)
        let same = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        let later = corpus.noon.addingTimeInterval(1)
        #expect(same.validate([leaf], at: later).verified?.validationTime == corpus.noon)
    }

    @Test
    func anEntryEndsWithTheValidityAndTheLifetime() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache(lifetime: 100_000)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        let brief = try await corpus.leaf(by: corpus.root, validity: corpus.short)
        #expect(validator.validate([brief], at: corpus.noon).refusal == nil)
        #expect(validator.validate([brief], at: corpus.short.upperBound).verified?.validationTime == corpus.noon)
        let after = corpus.short.upperBound.addingTimeInterval(1)
        #expect(validator.validate([brief], at: after).refusal?.reason == .expired)
        let before = corpus.short.lowerBound.addingTimeInterval(-1)
        #expect(validator.validate([brief], at: before).refusal?.reason == .notYetValid)
        let lasting = try await corpus.leaf(by: corpus.root)
        #expect(validator.validate([lasting], at: corpus.noon).refusal == nil)
        let atTheEnd = corpus.noon.addingTimeInterval(100_000)
        #expect(validator.validate([lasting], at: atTheEnd).verified?.validationTime == corpus.noon)
        let past = corpus.noon.addingTimeInterval(100_001)
        #expect(validator.validate([lasting], at: past).verified?.validationTime == past)
    }

    @Test
    func refusedChainsAreNotKept() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache()
        let leaf = try await corpus.leaf(by: corpus.root)
        let validator = CertificatePathValidator(anchors: [], cache: cache)
        #expect(validator.validate([leaf], at: corpus.noon).verified == nil)
        #expect(cache.count == 0)
    }

    @Test
    func theNumberOfEntriesIsBoundedAndTheUsedOnesStay() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache(capacity: 8)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        let used = try await corpus.leaf(by: corpus.root)
        #expect(validator.validate([used], at: corpus.noon).refusal == nil)
        for _ in 0..<30 {
            #expect(validator.validate([try await corpus.leaf(by: corpus.root)], at: corpus.noon).refusal == nil)
            let again = validator.validate([used], at: corpus.noon.addingTimeInterval(1))
            #expect(again.verified?.validationTime == corpus.noon)
            #expect(cache.count <= 8)
        }
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(CertificateChainCache(capacity: -1).capacity == 2)
    }

    /// A sender may append certificates of its choice to the signer's chain.
    @Test
    func chainsWithMoreThanThePathAreNotKept() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache()
        let leaf = try await corpus.leaf(by: corpus.intermediate)
        let anchor = corpus.intermediate.certificate
        let validator = CertificatePathValidator(anchors: [anchor], cache: cache)
        let stranger = try Certificate(der: AnnexD.iaca)
        for chain in [[leaf, stranger], [leaf, anchor, stranger], [leaf, corpus.root.certificate]] {
            #expect(validator.validate(chain, at: corpus.noon).verified?.certificates == [leaf])
            #expect(cache.count == 0)
        }
        #expect(validator.validate([leaf, anchor], at: corpus.noon).refusal == nil)
        #expect(validator.validate([leaf], at: corpus.noon).refusal == nil)
        #expect(cache.count == 2)
    }

    @Test
    func manyTasksMayShareOne() async throws {
        let corpus = try await Self.corpus.value
        let cache = CertificateChainCache(capacity: 4)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        var leaves: [Certificate] = []
        for _ in 0..<6 { leaves.append(try await corpus.leaf(by: corpus.root)) }
        let valid = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask { [leaves] in
                    (0..<12).count { validator.validate([leaves[(task + $0) % 6]], at: corpus.noon).verified != nil }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(valid == 96)
        #expect(cache.count <= 4)
    }
}
