import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import SDJWTKit
import StatusListKit
import Testing

/// Whatever arrives as bytes is read from arrays, slices and `Data` alike, as transports give them.
@Suite struct BytesTests {
    private let signer: SoftwareSigner

    init() throws {
        signer = try SoftwareSigner(PrivateKey.generate(.p256))
    }

    /// Reads the same bytes from an array, a slice whose indices do not begin at 0, and `Data`.
    private func read(
        _ bytes: [UInt8],
        _ read: (any Collection<UInt8>) throws -> [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let forms: [any Collection<UInt8>] = [
            bytes, ([0, 0] + bytes)[2...], Data(bytes), Data([0] + bytes).dropFirst(),
        ]
        for form in forms {
            #expect(try read(form) == bytes, "\(type(of: form))", sourceLocation: sourceLocation)
        }
    }

    @Test func cose() async throws {
        let message = try await COSESign1.sign([1, 2], with: signer)
        try read(message.encoded()) { bytes in try COSESign1(decoding: bytes).encoded() }
        try read(CWT(.sign1(message)).encoded()) { bytes in try CWT(decoding: bytes).encoded() }
        try read(CWTClaims(issuer: "a").encoded()) { bytes in try CWTClaims(decoding: bytes).encoded() }
        try read([0x82, 0x01, 0x61, 0x61]) { bytes in try CBOR(decoding: bytes).encoded() }
        try read(COSEKey(publicKey: signer.publicKey).encoded()) { bytes in try COSEKey(decoding: bytes).encoded() }
    }

    @Test func jose() async throws {
        let jwt = try Array(await JWT.sign(["iss": "a"], with: signer).compactSerialization().utf8)
        try read(jwt) { bytes in try Array(JWT(compact: bytes).compactSerialization().utf8) }
        try read(jwt) { bytes in try Array(JWS(compact: bytes).compactSerialization().utf8) }
        try read(JWK(signer.publicKey).encoded()) { bytes in try JWK(decoding: bytes).encoded() }
        let sdJWT = try Array(
            await SDJWTBuilder(credentialType: "t", claims: [:]).sign(with: signer).compactSerialization().utf8
        )
        try read(sdJWT) { bytes in try Array(SDJWT(compact: bytes).compactSerialization().utf8) }
    }

    @Test func statusLists() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let content = try StatusListContent(uri: "u", list: StatusList(count: 8, bits: .one), issuedAt: now)
        let (jwt, cwt) = (try await content.signedJWT(with: signer), try await content.signedCWT(with: signer))
        try read(jwt.encodedBytes) { bytes in try StatusListToken(jwt: bytes).encodedBytes }
        try read(cwt.encodedBytes) { bytes in try StatusListToken(cwt: bytes).encodedBytes }
    }

    @Test func mdocs() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let pki = try await MdocTestPKI.make(at: now)
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 3600)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: signer.publicKey, validityInfo: validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        let credential = try await builder.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner]
        )
        try read(Array(credential.encodedBytes)) { bytes in Array(try IssuerSigned(decoding: bytes).encodedBytes) }
        let request = try DeviceRequest(
            docRequests: [DocRequest(ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]]))]
        )
        try read(Array(request.encodedBytes)) { bytes in Array(try DeviceRequest(decoding: bytes).encodedBytes) }
        let transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://a.example", nonce: "n", jwkThumbprint: nil)
        )
        try read(Array(transcript.encodedBytes)) { bytes in
            Array(try SessionTranscript(decoding: bytes).encodedBytes)
        }
    }
}
