import Foundation
import IRMAMessages
import IdemixCore
import Testing

/// Proofs of non-revocation: demanded, missing, superfluous, and too old.
@Suite struct NonRevocationTests {
    private let scene: Scene
    private let id = AttributeRequest("demo.bank.pass.id")

    init() throws {
        scene = try Scene.shared.get()
    }

    private func request(tolerance: UInt64? = nil, demanding: Bool = true) -> SessionRequest {
        var request = scene.request([[[id]]])
        if demanding { request.parameters.revocation = [Scene.pass: NonRevocationDemand(tolerance: tolerance)] }
        return request
    }

    private func response(to request: SessionRequest, proving: Bool = true) throws -> DisclosureResponse {
        try scene.response(
            [(scene.credential(Scene.pass, ["p1"]), [2])],
            indices: [[(0, 2)]],
            to: request,
            provingNonRevocation: proving
        )
    }

    @Test func recentAccumulatorIsNotReported() throws {
        let request = request()
        let outcome = scene.outcome(of: try response(to: request), to: request, at: Scene.now + 600.9)
        let attribute = try outcome.verification.get().disclosed.first?.first
        #expect(attribute?.isNotRevoked == true)
        #expect(attribute?.notRevokedBefore == nil)
    }

    @Test func oldAccumulatorIsReported() throws {
        for (tolerance, delay) in [(nil, 601.0), (10, 11)] as [(UInt64?, Double)] {
            let request = request(tolerance: tolerance)
            let outcome = scene.outcome(of: try response(to: request), to: request, at: Scene.now + delay)
            let attribute = try outcome.verification.get().disclosed.first?.first
            #expect(attribute?.isNotRevoked == true)
            #expect(attribute?.notRevokedBefore == Int64(Scene.now.timeIntervalSince1970))
        }
    }

    @Test func ownKnowledgeOfTheAccumulatorCounts() throws {
        let request = request()
        let time = Scene.now + 5_000
        let known = KnownAccumulator(index: scene.authority.accumulator.index, updated: time - 60)
        let response = try response(to: request)
        let outcome = scene.outcome(of: response, to: request, at: time, accumulators: [Scene.pass: [3: known]])
        #expect(try outcome.verification.get().disclosed.first?.first?.notRevokedBefore == nil)
        let other = KnownAccumulator(index: known.index + 1, updated: known.updated)
        let stale = scene.outcome(of: response, to: request, at: time, accumulators: [Scene.pass: [3: other]])
        #expect(try stale.verification.get().disclosed.first?.first?.notRevokedBefore != nil)
    }

    @Test func missingProofIsInvalid() throws {
        let request = request()
        let outcome = scene.outcome(of: try response(to: request, proving: false), to: request)
        #expect(outcome.proofStatus == .invalid)
        #expect(outcome.verification.refusal?.check == .status)
    }

    @Test func proofThatWasNotAskedForIsInvalid() throws {
        let request = request(demanding: false)
        let outcome = scene.outcome(of: try response(to: request), to: request)
        #expect(outcome.proofStatus == .invalid)
        #expect(outcome.verification.refusal?.check == .unrequestedProofs)
    }

    @Test func accumulatorBeforeTheLastEventOfTheRequestIsInvalid() async throws {
        let signer = try scene.keys.privateKey.revocationSigner()
        let prime = try scene.authority.makeWitness().e
        let authority = try await scene.authority.revoking(prime, at: Scene.now + 1, signer: signer)
        let plain = request()
        var demanding = plain
        let update = try authority.update(lastEvents: 4)
        demanding.parameters.revocation = [Scene.pass: NonRevocationDemand(updates: [3: update])]
        let outcome = scene.outcome(of: try response(to: plain), to: demanding)
        #expect(outcome.verification.refusal?.check == .status)
    }
}
