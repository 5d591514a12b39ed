import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// Keys shorter than the hash authenticate only where a policy says so by name, and are reported.
@Suite struct ShortMACKeyTests {
    private let payload = Array(#"{"iss":"requestor"}"#.utf8)
    private let tolerant = JWSVerificationPolicy(algorithms: [.hs256], allowsShortMACKeys: true)

    private func message(keySize: Int, allowsShortKey: Bool = true) throws -> JWS {
        try JWS.authenticate(
            payload,
            header: ["alg": "HS256"],
            hmacKey: TestKeys.symmetric(keySize),
            allowsShortKey: allowsShortKey
        )
    }

    @Test(arguments: [1, 14, 31]) func shortKeysAreRefusedUnlessAllowed(size: Int) throws {
        let message = try message(keySize: size)
        expectRefusal(.keyMismatch) { try message.verify(hmacKey: TestKeys.symmetric(size), policy: [.hs256]) }
        expectRefusal(.keyMismatch) { try self.message(keySize: size, allowsShortKey: false) }
        let verified = try message.verify(hmacKey: TestKeys.symmetric(size), policy: tolerant)
        #expect(verified.deviations.map(\.tolerance) == ["allowsShortMACKeys"])
    }

    @Test func keysOfTheHashesSizeAreNoDeviation() throws {
        let verified = try message(keySize: 32).verify(hmacKey: TestKeys.symmetric(32), policy: tolerant)
        #expect(verified.deviations.isEmpty)
    }

    @Test func emptyKeysAreRefusedAlways() throws {
        expectRefusal(.keyMismatch) { try self.message(keySize: 0) }
        let message = try message(keySize: 1)
        expectRefusal(.keyMismatch) { try message.verify(hmacKey: SecretBytes([UInt8]()), policy: tolerant) }
    }

    @Test func tokensReportTheDeviation() throws {
        let verification = try JWT(message(keySize: 14)).verify(
            with: .symmetric(TestKeys.symmetric(14)),
            policy: tolerant,
            claims: JWTClaimsPolicy(type: .any),
            at: Date(timeIntervalSince1970: 0)
        )
        #expect(verification.verified != nil)
        #expect(verification.deviations.map(\.tolerance) == ["allowsShortMACKeys"])
    }

    /// A requestor's signed session request, whose key has 31 bytes.
    @Test(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
    func recordedRequestVerifies() throws {
        let set = VectorSet("irma")
        let encoded = try #require(set.file("jwtkeys/requestor3.b64")).bytes()
        let key = SecretBytes(try #require(Data(base64Encoded: Data(encoded), options: .ignoreUnknownCharacters)))
        let file = try #require(set.file("auth-jwt-hs256.json"))
        let recorded = try JSONValue(parsing: file.bytes())
        let texts = (recorded["exchanges"]?.arrayValue ?? []).compactMap { $0["requestText"]?.stringValue }
        let tokens = texts.compactMap { try? JWS(compact: $0) }
        for token in tokens {
            expectRefusal(.keyMismatch) { try token.verify(hmacKey: key, policy: [.hs256]) }
            #expect(try token.verify(hmacKey: key, policy: tolerant).deviations.count == 1)
        }
        #expect(!tokens.isEmpty)
        file.report(ran: tokens.count)
    }
}
