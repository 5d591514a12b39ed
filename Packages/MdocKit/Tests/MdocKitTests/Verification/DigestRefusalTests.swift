import CBORKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// Each way in which an element can fail to be what the issuer signed.
@Suite struct DigestRefusalTests {
    /// The licence with its items of the driving licence's namespace changed.
    private func licence(
        _ utopia: Utopia,
        changing change: (inout [CBOR]) throws -> Void
    ) async throws -> IssuerSigned {
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        try credential.change("nameSpaces") { nameSpaces in
            try nameSpaces.change("org.iso.18013.5.1") { group in
                guard case .array(var items) = group else { return }
                try change(&items)
                group = .array(items)
            }
        }
        return try IssuerSigned(decoding: credential.encoded())
    }

    private func item(
        _ digestID: Int,
        random: Int = 32,
        _ identifier: String = "family_name",
        _ value: CBOR = "Doe"
    ) -> CBOR {
        let item: CBOR = [
            "digestID": .integer(digestID), "random": .bytes([UInt8](repeating: 7, count: random)),
            "elementIdentifier": .text(identifier), "elementValue": value,
        ]
        return .tagged(24, .bytes(item.encoded()))
    }

    private func expectRefusal(
        _ issuerSigned: IssuerSigned,
        _ utopia: Utopia,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let failure = utopia.verifier().verifyForStorage(issuerSigned).failure else {
            Issue.record("verified", sourceLocation: sourceLocation)
            return
        }
        #expect(failure.check == .digests, sourceLocation: sourceLocation)
        #expect(failure.reason == .mobileCredentialInvalid, sourceLocation: sourceLocation)
    }

    @Test func anotherValue() async throws {
        let utopia = try await Utopia()
        expectRefusal(try await licence(utopia) { $0[0] = item(0) }, utopia)
    }

    @Test func aNumberThatTheIssuerDidNotSign() async throws {
        let utopia = try await Utopia()
        expectRefusal(try await licence(utopia) { $0.append(item(99, "nickname")) }, utopia)
    }

    @Test func aNamespaceThatTheIssuerDidNotSign() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("nameSpaces") { $0.set("org.example", .array([item(0)])) }
        expectRefusal(try IssuerSigned(decoding: credential.encoded()), utopia)
    }

    /// Few names are compared with each other, many are hashed.
    @Test(arguments: [1, 30]) func theSameElementAgain(_ copies: Int) async throws {
        let utopia = try await Utopia()
        expectRefusal(try await licence(utopia) { $0 += [CBOR](repeating: $0[0], count: copies) }, utopia)
    }

    @Test(arguments: [(15, false), (16, true)])
    func randomOfTheLeastLength(_ length: Int, isEnough: Bool) async throws {
        let utopia = try await Utopia()
        let short = item(0, random: length)
        let digest = HashAlgorithm.sha256.digest(of: short.encoded())
        let forged = try await utopia.licence { object in
            object.change("valueDigests") { $0.change("org.iso.18013.5.1") { $0.set(0, .bytes(digest)) } }
        }
        var credential = try CBOR(decoding: [UInt8](forged.encodedBytes))
        credential.set("nameSpaces", ["org.iso.18013.5.1": .array([short])])
        let licence = try IssuerSigned(decoding: credential.encoded())
        guard case .verified = utopia.verifier().verifyForStorage(licence).verdict else {
            #expect(!isEnough)
            expectRefusal(licence, utopia)
            return
        }
        #expect(isEnough)
    }
}
