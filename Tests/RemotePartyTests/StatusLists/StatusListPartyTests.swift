import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import JOSEKit
import MdocKit
import StatusListKit
import Testing

/// A status list provider and a relying party, with nothing between them but bytes.
@Suite struct StatusListPartyTests {
    private static let uri = "https://issuer.example/lists/1"
    private let time = Date(timeIntervalSince1970: 1_800_000_000)
    private let provider: SoftwareSigner
    private let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])

    init() throws {
        provider = try SoftwareSigner(PrivateKey.generate(.p256))
    }

    /// The provider's key as the relying party received it.
    private var key: StatusListKey {
        get throws { .publicKey(try PublicKey(subjectPublicKeyInfo: provider.publicKey.subjectPublicKeyInfo)) }
    }

    /// A list with one revoked credential, as the provider knows it.
    private func content() throws -> StatusListContent {
        var list = try StatusList(count: 16, bits: .two)
        try list.set(.invalid, at: 7)
        return try StatusListContent(
            uri: Self.uri,
            list: list,
            issuedAt: time,
            expirationTime: time + 3600,
            timeToLive: 600
        )
    }

    private func expectStatuses(_ token: StatusListToken) throws {
        let verified = try token.verify(for: Self.uri, with: key, policy: policy, at: time).get()
        #expect(verified.status(at: 7) == .revoked)
        #expect(verified.status(at: 8) == .valid(asOf: time))
        let other = try token.verify(for: Self.uri + "0", with: key, policy: policy, at: time)
        #expect(other.refusal?.reason == .claimMismatch)
    }

    @Test func publishesAJWT() async throws {
        let sent = try await content().signedJWT(with: provider).encodedBytes
        try expectStatuses(StatusListToken(jwt: Array(sent)))
    }

    @Test func publishesACWT() async throws {
        let sent = try await content().signedCWT(with: provider).encodedBytes
        try expectStatuses(StatusListToken(cwt: Array(sent)))
    }

    @Test func publishesAnIdentifierList() async throws {
        let pki = try await MdocTestPKI.make(at: time)
        let certificate = try await pki.iaca.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "lists"),
            publicKey: provider.publicKey,
            validity: time...time + 86_400
        )
        let content = try IdentifierListContent(
            uri: Self.uri,
            identifiers: [[1, 2], [3]],
            issuedAt: time,
            expirationTime: time + 3600
        )
        let sent = try await content.signedCWT(x5chain: [certificate], with: provider).encodedBytes
        let verified = try IdentifierListToken(cwt: Array(sent))
            .verify(for: Self.uri, anchors: [Certificate(der: pki.iaca.certificate.derBytes)], at: time)
            .get()
        #expect(verified.contains([1, 2]) && !verified.contains([1]))
    }
}
