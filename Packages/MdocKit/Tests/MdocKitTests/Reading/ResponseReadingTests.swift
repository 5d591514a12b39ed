import CBORKit
import MdocKit
import Testing

/// Refusals in reading a response: of the whole, or of one document.
@Suite struct ResponseReadingTests {
    private static let faults: [MemberChange] = [
        MemberChange("version", "0.9", .unsupportedVersion),
        MemberChange("version", "1.0.0", .invalidValue),
        MemberChange("version", "1.", .invalidValue),
        MemberChange("version", "1.1234567890", .invalidValue),
        MemberChange("version", nil, .missingMember),
        MemberChange("status", nil, .missingMember),
        MemberChange("status", "0", .unexpectedType),
        MemberChange("status", -1, .invalidValue),
        MemberChange("documents", ["a": 1], .unexpectedType),
        MemberChange("documents", [], .deviation),
        MemberChange("documentErrors", [], .deviation),
        MemberChange("zkDocuments", [], .deviation),
        MemberChange("encryptedDocuments", [["enc": .bytes([]), "cipherText": .bytes([])]], .missingMember),
        MemberChange("encryptedDocuments", [["enc": "e"]], .unexpectedType),
        MemberChange("documentErrors", [["d": "x"]], .unexpectedType),
        MemberChange("documentErrors", [[1: 0]], .unexpectedType),
    ]

    @Test(arguments: faults)
    func refusesMalformedResponses(_ fault: MemberChange) throws {
        let bytes = try fault.applied(to: AnnexD.figure("device-response"))
        let error = #expect(throws: MdocError.self) { try DeviceResponse(decoding: bytes) }
        #expect(error?.code == fault.code, "\(String(describing: error))")
    }

    @Test func unknownMembersAndVersionsAreTaken() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-response"))
        value.set("version", "1.7")
        value.set("extension", ["x": 1])
        value.set("encryptedDocuments", [["enc": .bytes([1]), "cipherText": .bytes([2]), "docRequestID": 3]])
        let response = try DeviceResponse(decoding: value.encoded())
        #expect(response.version.minor == 7)
        #expect(response.documents.count == 1)
        #expect(response.encryptedDocuments.map(\.docRequestID) == [3])
        #expect(response.encryptedDocuments.map { [UInt8]($0.cipherText) } == [[2]])
    }

    @Test(arguments: [[], [0xff], [0xa0, 0x00], [0xa2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00]] as [[UInt8]])
    func bytesThatAreNotOneItem(_ bytes: [UInt8]) {
        let error = #expect(throws: MdocError.self) { try DeviceResponse(decoding: bytes) }
        #expect(error?.code == .malformedCBOR)
    }

    private static let documentFaults: [MemberChange] = [
        MemberChange("docType", nil, .missingMember),
        MemberChange("docType", 1, .unexpectedType),
        MemberChange("issuerSigned", nil, .missingMember),
        MemberChange("issuerSigned", ["nameSpaces": [:]], .missingMember),
        MemberChange("issuerSigned", ["issuerAuth": [1, 2, 3, 4]], .malformedCOSE),
        MemberChange("issuerSigned", ["issuerAuth": [.bytes([]), [:], nil, .bytes([])]], .unexpectedType),
        MemberChange("deviceSigned", nil, .missingMember),
        MemberChange("deviceSigned", ["nameSpaces": .bytes([0xa0]), "deviceAuth": [:]], .unexpectedType),
        MemberChange(
            "deviceSigned",
            ["nameSpaces": .tagged(24, .bytes([0xa1, 0x61, 0x61, 0xa0])), "deviceAuth": [:]],
            .invalidValue
        ),
        MemberChange("deviceSigned", ["nameSpaces": .tagged(24, .bytes([0xa0]))], .missingMember),
        MemberChange("deviceSigned", ["nameSpaces": .tagged(24, .bytes([0xa0])), "deviceAuth": [:]], .missingMember),
        MemberChange("errors", [:], .deviation),
        MemberChange("errors", ["n": [:]], .invalidValue),
        MemberChange("errors", ["n": ["e": "x"]], .unexpectedType),
    ]

    @Test(arguments: documentFaults)
    func refusesMalformedDocuments(_ fault: MemberChange) throws {
        var value = try CBOR(decoding: AnnexD.figure("device-response"))
        value.change("documents") { $0.change(0) { $0.set(fault.key, fault.value) } }
        let response = try DeviceResponse(decoding: value.encoded())
        #expect(response.documents.isEmpty)
        let error = try #require(response.unreadableDocuments.first).error
        #expect(error.code == fault.code, "\(error)")
        #expect(error.path.first?.hasPrefix("documents[0]") == true, "\(error)")
    }

    /// Members that deployed wallets write without content.
    @Test func membersWithoutContent() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-response"))
        value.set("zkDocuments", [])
        value.set("encryptedDocuments", [])
        value.set("documentErrors", [])
        value.change("documents") {
            $0.change(0) {
                $0.set("errors", [:])
                $0.change("issuerSigned") { $0.set("nameSpaces", [:]) }
            }
        }
        let strict = #expect(throws: MdocError.self) { try DeviceResponse(decoding: value.encoded()) }
        #expect(strict?.code == .deviation && strict?.message == "not tolerated: emptyMember")
        let options = MdocReadingOptions(tolerances: [.emptyMember])
        let response = try DeviceResponse(decoding: value.encoded(), options: options)
        #expect(response.zkDocuments.isEmpty && response.encryptedDocuments.isEmpty)
        let document = try #require(response.documents.first)
        #expect(document.issuerSigned.nameSpaces.isEmpty && document.errors.isEmpty)
        #expect(
            document.issuerSigned.deviations.map(\.description) == [
                "emptyMember in documents[0].issuerSigned.nameSpaces"
            ]
        )
    }

    @Test func aSignatureAndAMac() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-response"))
        value.change("documents") {
            $0.change(0) {
                $0.change("deviceSigned") {
                    $0.change("deviceAuth") { auth in
                        auth.set("deviceSignature", auth["deviceMac"])
                    }
                }
            }
        }
        let response = try DeviceResponse(decoding: value.encoded())
        #expect(response.unreadableDocuments.first?.error.code == .invalidValue)
    }

    /// A complete structure with that time of signing.
    private static func validityInfo(signed: CBOR) -> CBOR {
        let time = CBOR.tagged(0, "2020-10-01T13:30:02Z")
        return ["signed": signed, "validFrom": time, "validUntil": time]
    }

    private static let objectFaults: [MemberChange] = [
        MemberChange("version", "2.0", .unsupportedVersion),
        MemberChange("digestAlgorithm", nil, .missingMember),
        MemberChange("digestAlgorithm", 1, .unexpectedType),
        MemberChange("valueDigests", [:], .invalidValue),
        MemberChange("valueDigests", ["n": [:]], .invalidValue),
        MemberChange("valueDigests", ["n": [-1: .bytes([])]], .invalidValue),
        MemberChange("valueDigests", ["n": [0x1_0000_0000: .bytes([])]], .invalidValue),
        MemberChange("valueDigests", ["n": [0: "x"]], .unexpectedType),
        MemberChange("valueDigests", ["n": ["0": .bytes([])]], .unexpectedType),
        MemberChange("deviceKeyInfo", [:], .missingMember),
        MemberChange("deviceKeyInfo", ["deviceKey": [:]], .malformedCOSE),
        MemberChange("docType", nil, .missingMember),
        MemberChange("validityInfo", [:], .missingMember),
        MemberChange("validityInfo", validityInfo(signed: 1_601_559_002), .unexpectedType),
        MemberChange("validityInfo", validityInfo(signed: .tagged(0, "2020-10-01")), .invalidValue),
        MemberChange("validityInfo", validityInfo(signed: .tagged(0, "2020-13-01T13:30:02Z")), .invalidValue),
        MemberChange("status", ["status_list": ["idx": -1, "uri": "u"]], .invalidValue),
        MemberChange("status", ["status_list": ["idx": 1]], .missingMember),
        MemberChange("status", ["identifier_list": ["id": 1, "uri": "u"]], .unexpectedType),
    ]

    @Test(arguments: objectFaults)
    func refusesMalformedMobileSecurityObjects(_ fault: MemberChange) throws {
        var issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        try issuerAuth.change(2) { payload in
            var object = try CBOR(decoding: #require(payload.bytesValue)).embedded
            object.set(fault.key, fault.value)
            payload = .bytes(CBOR.tagged(24, .bytes(object.encoded())).encoded())
        }
        let credential: CBOR = ["issuerAuth": issuerAuth]
        let error = #expect(throws: MdocError.self) { try IssuerSigned(decoding: credential.encoded()) }
        #expect(error?.code == fault.code, "\(String(describing: error))")
        #expect(error?.path.first?.hasPrefix("issuerAuth[2]") == true)
    }

    @Test func textsThatDifferInBytesAreDifferentNames() throws {
        let composed: DocType = "org.example.\u{e9}"
        let decomposed: DocType = "org.example.e\u{301}"
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
