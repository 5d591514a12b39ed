import CBORKit
import JSONKit
import LinkedDataKit
import Testing

/// Each limit of selective disclosure, at its bound and one past it, on both sides.
struct DisclosureLimitTests {
    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    private func expectLimit(_ isExceeded: Bool, _ body: () async throws -> Void) async {
        do {
            try await body()
            #expect(!isExceeded)
        } catch {
            #expect(isExceeded && (error as? LinkedDataError)?.code == .limitExceeded, "\(error)")
        }
    }

    /// Expects a verifier to take a document within a limit, and to refuse it beyond.
    private func check(
        _ derived: SecuredDocument,
        verifier: (Int) -> SelectiveDisclosureLimits,
        of count: Int
    ) async throws {
        for (bound, reason) in [(count, nil), (count - 1, Reason.limitExceeded)] {
            let policy = LinkedDataProofPolicy(disclosure: verifier(bound))
            let verification = await ProofScene.verifier(policy).verify(derived, expecting: LinkedDataExpectation())
            #expect(verification.refusal?.reason == reason)
        }
    }

    @Test func statements() async throws {
        let base = try await scene.base()
        let count = try ProofValueParts(base).array(3).count
        let derived = try await scene.derived("", from: base)
        for bound in [count, count - 1] {
            let prover = LinkedDataProver(disclosure: SelectiveDisclosureLimits(statements: bound))
            await expectLimit(bound < count) { _ = try await scene.base(prover: prover) }
            await expectLimit(bound < count) { _ = try prover.derive(from: base, revealing: []) }
        }
        try await check(derived, verifier: { SelectiveDisclosureLimits(statements: $0) }, of: count)
    }

    @Test func labels() async throws {
        let base = try await scene.base()
        let derived = try await scene.derived("", from: base)
        let count = try #require(try ProofValueParts(derived).elements[3].mapValue).pairs.count
        for bound in [count, count - 1] {
            let prover = LinkedDataProver(disclosure: SelectiveDisclosureLimits(labels: bound))
            await expectLimit(bound < count) { _ = try await scene.base(prover: prover) }
            await expectLimit(bound < count) { _ = try prover.derive(from: base, revealing: []) }
        }
        try await check(derived, verifier: { SelectiveDisclosureLimits(labels: $0) }, of: count)
    }

    @Test func pointers() async throws {
        let base = try await scene.base(mandatory: ["/issuer"])
        let selected = [try JSONPointer("/credentialSubject/name"), try JSONPointer("/validFrom")]
        for bound in [2, 1] {
            let prover = LinkedDataProver(disclosure: SelectiveDisclosureLimits(pointers: bound))
            await expectLimit(bound < 2) { _ = try await scene.base(prover: prover) }
            await expectLimit(bound < 2) { _ = try prover.derive(from: base, revealing: selected) }
        }
        let two = try await scene.base()
        let prover = LinkedDataProver(disclosure: SelectiveDisclosureLimits(pointers: 1))
        await expectLimit(true) { _ = try prover.derive(from: two, revealing: []) }
    }

    @Test func size() async throws {
        let base = try await scene.base()
        let derived = try await scene.derived("", from: base)
        let length = try #require(base.proofs.first?.members["proofValue"]?.stringValue).utf8.count
        for bound in [length, length - 1] {
            let prover = LinkedDataProver(disclosure: SelectiveDisclosureLimits(size: bound))
            await expectLimit(bound < length) { _ = try prover.derive(from: base, revealing: []) }
        }
        let own = try #require(derived.proofs.first?.members["proofValue"]?.stringValue).utf8.count
        try await check(derived, verifier: { SelectiveDisclosureLimits(size: $0) }, of: own)
    }

    /// The work of canonicalization is bounded for issuers, holders and verifiers alike.
    @Test func canonicalization() async throws {
        let base = try await scene.base()
        let derived = try await scene.derived("", from: base)
        let limits = CanonicalizationLimits(quads: 3)
        let prover = LinkedDataProver(canonicalization: limits)
        await expectLimit(true) { _ = try await scene.base(prover: prover) }
        await expectLimit(true) { _ = try prover.derive(from: base, revealing: []) }
        let verifier = ProofScene.verifier(LinkedDataProofPolicy(canonicalization: limits))
        let verification = await verifier.verify(derived, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof")?.check == .signature)
        #expect(verification.refusal?.reason == .limitExceeded)
    }
}
