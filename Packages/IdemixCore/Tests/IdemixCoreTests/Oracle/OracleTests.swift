import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Proofs that this module makes, verified by a program that shares no code with it.
///
/// The program is `verify_vectors.py` beside the recorded sessions; it reads a folder of sessions of the same form.
@Suite(
    .enabled(if: VectorSet("irma").file("verify_vectors.py") != nil, VectorSet.absence),
    .enabled(if: Oracle.python != nil, "python3 is not installed")
)
struct OracleTests {
    @Test(arguments: IdemixSystemParameters.all)
    func acceptsDisclosuresIssuancesAndLists(parameters: IdemixSystemParameters) throws {
        let world = try TestWorld(parameters, seed: 11)
        let oracle = try Oracle(world)
        let credential = try world.issue(
            try TestWorld.attributes(["Alice", nil, String(repeating: "long ", count: 30)])
        )
        oracle.add(credential: credential)

        let disclosure = IdemixProofListBuilder(using: world.randomness)
        try disclosure.add(IdemixDisclosureRequest(credential, disclosing: [2, 4]))
        try oracle.add(
            contributions: try disclosure.contributions,
            try disclosure.prove(nonce: 77, kind: .signature),
            kind: .signature
        )

        let list = IdemixProofListBuilder(using: world.randomness)
        try list.add(IdemixDisclosureRequest(credential, disclosing: []))
        try list.add(
            PreparedIdemixDisclosure(IdemixDisclosureRequest(credential, disclosing: [3]), using: world.randomness)
        )
        let pending = try list.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            blindIndices: [3]
        )
        let contributions = try list.contributions
        let proofs = try list.prove(nonce: 77)
        guard case .issuance(let commitment) = proofs.proofs[2] else { throw TestFailure("no commitment") }
        let attributes = try TestWorld.attributes(["Bob", nil])
        let issued = try IdemixIssuer(keys: world.keys, using: world.randomness)
            .sign(attributes: attributes, blindIndices: [3], commitment: commitment.U, nonce: 99)
        try oracle.add(contributions: contributions, proofs, issued: issued, holderNonce: 99)
        oracle.add(credential: try pending.finish(with: issued, attributes: attributes, nonce: 99))

        // Two credentials, two lists, one issuer's proof.
        let said = try oracle.run()
        #expect(said.hasSuffix("5 checks 0 bad"), "\(said)")
    }

    @Test func refusesWhatWeRefuse() throws {
        let world = try TestWorld(seed: 12)
        let oracle = try Oracle(world)
        let credential = try world.issue(try TestWorld.attributes(["Alice"]))
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        let contributions = try builder.contributions
        let proof = try builder.prove(nonce: 77).firstDisclosure()
        let changed = IdemixProofList([.disclosure(proof.settingAttribute(2, to: 5))])
        try oracle.add(contributions: contributions, changed)
        #expect(try oracle.run().hasSuffix("1 checks 1 bad"))
    }
}
