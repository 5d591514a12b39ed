import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// Known mistakes of implementations with the credential's structure (ISO/IEC 18013-5, 8.1, 10.3.3, 12.3).
@Suite struct CredentialPitfallTests {
    private func isVerified(_ utopia: Utopia, _ credential: IssuerSigned) -> Bool {
        if case .verified = utopia.verifier().verifyForStorage(credential).verdict { true } else { false }
    }

    private func failure(_ utopia: Utopia, _ credential: IssuerSigned) -> Failure? {
        if let failure = utopia.verifier().verifyForStorage(credential).failure { failure } else { nil }
    }

    /// A map whose members stand in the opposite order of the usual one, at every level.
    private func reversed(_ value: CBOR) -> [UInt8] {
        guard case .map(let map) = value else { return value.encoded() }
        let head = map.count < 24 ? [0xa0 | UInt8(map.count)] : [0xb8, UInt8(map.count)]
        return map.reversed().reduce(into: head) { $0 += $1.key.encoded() + reversed($1.value) }
    }

    /// Sorting is only recommended, so that two correct producers differ in bytes.
    @Test func membersInAnyOrder() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.encodedLicence { reversed($0) }
        #expect(isVerified(utopia, licence))
        #expect(
            licence.mobileSecurityObject.taggedBytes != (try await utopia.licence()).mobileSecurityObject.taggedBytes
        )
    }

    @Test func unknownMembersAreIgnored() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence { object in
            object.set("later", ["a": 1])
            object.change("deviceKeyInfo") { $0.set("later", 1) }
            object.change("validityInfo") { $0.set("later", 1) }
            object.change("deviceKeyInfo") { $0.set("keyInfo", [7: "reserved", -7: "of the application"]) }
        }
        #expect(isVerified(utopia, licence))
    }

    @Test(arguments: [("1.0", true), ("1.1", true), ("1.10", true), ("2.0", false), ("10.0", false), ("0.9", false)])
    func versionsAreComparedAsNumbers(_ version: String, isTaken: Bool) async throws {
        let utopia = try await Utopia()
        let licence = try? await utopia.licence { $0.set("version", .text(version)) }
        #expect((licence.map { self.isVerified(utopia, $0) } ?? false) == isTaken)
    }

    /// An item in another encoding than ours is hashed as it came, its tag included.
    @Test func digestsAreOverTheReceivedBytes() async throws {
        let utopia = try await Utopia()
        let content: CBOR = [
            "random": .bytes([UInt8](repeating: 3, count: 32)), "elementValue": "Doe", "later": 1,
            "elementIdentifier": "family_name", "digestID": 0,
        ]
        let encoded = reversed(content)
        // Tag 24 in three bytes, the length of the byte string in two.
        let item = [0xd9, 0, 0x18, 0x59, UInt8(encoded.count >> 8), UInt8(encoded.count & 0xff)] + encoded
        for (hashed, isRight) in [(item, true), (CBOR.tagged(24, .bytes(encoded)).encoded(), false), (encoded, false)] {
            let digest = HashAlgorithm.sha256.digest(of: hashed)
            let issued = try await utopia.licence { object in
                object.change("valueDigests") { $0.change("org.iso.18013.5.1") { $0.set(0, .bytes(digest)) } }
            }
            let issuerAuth = try #require(CBOR(decoding: [UInt8](issued.encodedBytes))["issuerAuth"]).encoded()
            let nameSpace = CBOR.text("org.iso.18013.5.1").encoded()
            let bytes: [UInt8] =
                [0xa2] + CBOR.text("nameSpaces").encoded() + [0xa1] + nameSpace + [0x81] + item
                + CBOR.text("issuerAuth").encoded() + issuerAuth
            let error = #expect(throws: MdocError.self) { try IssuerSigned(decoding: bytes) }
            #expect(error?.message == "not tolerated: nonPreferredEncoding")
            let credential = try IssuerSigned(decoding: bytes, options: .deployed)
            #expect(credential.deviations.map(\.tolerance) == [.nonPreferredEncoding])
            #expect(isVerified(utopia, credential) == isRight)
            if !isRight { #expect(failure(utopia, credential)?.check == .digests) }
        }
    }

    /// A digest counts under its own namespace and as a whole.
    @Test(arguments: [0, 1, 2])
    func digestsThatAreNotThoseOfTheItem(_ fault: Int) async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence { object in
            object.change("valueDigests") { nameSpaces in
                let digests = nameSpaces["org.iso.18013.5.1"]
                switch fault {
                case 0:
                    nameSpaces.set("org.iso.18013.5.1", nil)
                    nameSpaces.set("org.example", digests)
                case 1:
                    nameSpaces.change("org.iso.18013.5.1") { digests in
                        for number in 0..<6 {
                            digests.change(.integer(number)) { $0 = .bytes(Array(($0.bytesValue ?? []).prefix(16))) }
                        }
                    }
                default:
                    nameSpaces.change("org.iso.18013.5.1") { $0 = [0: .bytes([])] }
                }
            }
        }
        #expect(failure(utopia, licence)?.check == .digests)
        #expect(failure(utopia, licence)?.reason == .mobileCredentialInvalid)
    }

    /// Digests of elements that are not shown, and of none, are no fault.
    @Test func digestsWithoutItems() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.decoys = [.mDL: 5, "org.example.decoys": 3]
        var credential = try CBOR(decoding: [UInt8](await utopia.issue(builder).encodedBytes))
        credential.set("nameSpaces", nil)
        let licence = try IssuerSigned(decoding: credential.encoded())
        #expect(licence.nameSpaces.isEmpty)
        #expect(isVerified(utopia, licence))
    }

    /// The same number in two namespaces names two digests.
    @Test func numbersAreOfTheirNamespace() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let numbers = licence.nameSpaces.map { Set($0.items.map(\.digestID.value)) }
        try #require(numbers.count == 2)
        #expect(!numbers[0].isDisjoint(with: numbers[1]))
        #expect(isVerified(utopia, licence))
    }

    /// The extended example of the draft has such a name: it is data.
    @Test func identifiersAreData() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        for name in ["family._name", "Family_Name", "e\u{301}", "\u{e9}"] {
            try builder.add("x", as: DataElementIdentifier(name), in: .mDL)
        }
        let licence = try await utopia.issue(builder)
        #expect(isVerified(utopia, licence))
        #expect(licence[.mDL, "family_name"]?.elementValue.value() == "Doe")
        #expect(licence[.mDL].count == 10)
    }

    // MARK: COSE

    /// The licence with headers of one's own around the algorithm.
    private func licence(
        _ utopia: Utopia,
        protected: COSEHeaderMap = [:],
        unprotected: COSEHeaderMap = [:],
        options: MdocReadingOptions = .strict,
        changing change: (inout CBOR) throws -> Void = { _ in }
    ) async throws -> IssuerSigned {
        let issued = try await utopia.licence()
        var protected = protected
        protected[.alg] = .integer(COSEAlgorithm.es256.rawValue)
        let issuerAuth = try await COSESign1.sign(
            Array(issued.mobileSecurityObject.taggedBytes),
            headers: COSEHeaders(protected: protected, unprotected: unprotected),
            with: SoftwareSigner(utopia.documentSignerKey)
        )
        var credential = try CBOR(decoding: [UInt8](issued.encodedBytes))
        try credential.change("issuerAuth") { auth in
            auth = try CBOR(decoding: issuerAuth.encoded(tagged: false))
            try change(&auth)
        }
        return try IssuerSigned(decoding: credential.encoded(), options: options)
    }

    private func chain(_ certificates: Certificate...) -> COSEHeaderMap {
        [.x5chain: COSEHeaderMap.certificates(certificates.map(\.derBytes))]
    }

    @Test func theChainInEitherHeader() async throws {
        let utopia = try await Utopia()
        let chain = chain(utopia.documentSigner)
        #expect(isVerified(utopia, try await licence(utopia, unprotected: chain)))
        let error = await #expect(throws: MdocError.self) { try await licence(utopia, protected: chain) }
        #expect(error?.message == "not tolerated: protectedX5chain")
        let tolerated = try await licence(utopia, protected: chain, options: .deployed)
        #expect(tolerated.deviations.map(\.tolerance) == [.protectedX5chain])
        #expect(isVerified(utopia, tolerated))
    }

    /// The hash of the certificate, and unrequested headers, change nothing.
    @Test func otherHeadersAreIgnored() async throws {
        let utopia = try await Utopia()
        var more = chain(utopia.documentSigner)
        more[.x5t] = [-16, .bytes(HashAlgorithm.sha256.digest(of: utopia.documentSigner.derBytes))]
        more[.kid] = .bytes([1])
        #expect(isVerified(utopia, try await licence(utopia, unprotected: more)))
    }

    /// r‖s in fixed width, not DER and not shortened.
    @Test(arguments: [0, 1, 2])
    func signaturesInAnotherForm(_ form: Int) async throws {
        let utopia = try await Utopia()
        let licence = try await licence(utopia, unprotected: chain(utopia.documentSigner)) { auth in
            auth.change(3) { signature in
                let bytes = signature.bytesValue ?? []
                switch form {
                case 0:
                    let integer: [UInt8] = [2, 33, 0]
                    let integers = integer + bytes.prefix(32) + integer + bytes.suffix(32)
                    signature = .bytes([0x30, UInt8(integers.count)] + integers)
                case 1: signature = .bytes(Array(bytes.dropLast()))
                default: signature = .bytes([0] + bytes)
                }
            }
        }
        #expect(failure(utopia, licence)?.check == .issuerSignature)
        #expect(failure(utopia, licence)?.reason == .mobileCredentialInvalid)
    }

    @Test func aDetachedPayload() async throws {
        let utopia = try await Utopia()
        await #expect(throws: MdocError.self) {
            try await licence(utopia, unprotected: chain(utopia.documentSigner)) { $0.change(2) { $0 = .null } }
        }
    }

    /// The device key with the sign of y alone, and with parameters that the standard does not name.
    @Test func deviceKeysInOtherForms() async throws {
        let utopia = try await Utopia()
        let isOdd = utopia.deviceKey.publicKey.y.flatMap(\.last).map { $0 & 1 == 1 } ?? false
        for sign in [isOdd, !isOdd] {
            let licence = try await utopia.licence { object in
                object.change("deviceKeyInfo") {
                    $0.change("deviceKey") { key in
                        key.set(-3, sign ? true : false)
                        key.set(2, .bytes([1, 2]))
                        key.set(-70_000, "of the application")
                    }
                }
            }
            let key = try licence.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey()
            #expect((key == utopia.deviceKey.publicKey) == (sign == isOdd))
            #expect(isVerified(utopia, licence))
            guard sign == isOdd else { continue }
            #expect(try await utopia.verify(utopia.present(licence)).verifiedDocuments.count == 1)
        }
    }
}
