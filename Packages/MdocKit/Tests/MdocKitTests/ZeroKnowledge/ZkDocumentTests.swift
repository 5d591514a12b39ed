import CBORKit
import CryptoCore
import MdocKit
import Testing

/// The form of a zero-knowledge proof in a response, in clear and encrypted.
@Suite struct ZkDocumentTests {
    private static let today = CBORDate(daysSinceEpoch: 20_000)

    private func document(_ chain: [Certificate] = []) throws -> ZkDocument {
        try ZkDocument(
            docType: .mDL,
            zkSystemID: "1",
            timestamp: Self.today,
            issuerSigned: [.mDL: ["family_name": "Doe", "age_over_18": true]],
            deviceSigned: ["org.example": ["hash": .bytes([1])]],
            msoX5chain: chain,
            proof: [7, 8]
        )
    }

    /// A response with one proof whose data and proof are changed.
    private func response(_ changes: [(key: String, value: CBOR?)]) throws -> [UInt8] {
        let built = try document()
        var data = try CBOR(decoding: [UInt8](built.documentDataBytes)).embedded
        var proof: CBOR? = .bytes([7])
        for (key, value) in changes {
            if key == "proof" { proof = value } else { data.set(.text(key), value) }
        }
        var document: CBOR = ["documentData": .tagged(24, .bytes(data.encoded()))]
        document.set("proof", proof)
        let good = try CBOR(decoding: [UInt8](built.encodedBytes))
        return (["version": "1.0", "zkDocuments": [good, document], "status": 0] as CBOR).encoded()
    }

    @Test func whatIsBuiltIsRead() async throws {
        let utopia = try await Utopia()
        for chain in [[], [utopia.documentSigner], [utopia.documentSigner, utopia.iaca.certificate]] {
            let built = try document(chain)
            let response = try DeviceResponse(documents: [], zkDocuments: [built])
            let read = try #require(DeviceResponse(decoding: [UInt8](response.encodedBytes)).zkDocuments.first)
            #expect(read.docType == .mDL && read.zkSystemID == "1" && read.timestamp == Self.today)
            #expect(read.issuerSigned.references.map(\.identifier) == ["family_name", "age_over_18"])
            #expect(read.issuerSigned[.mDL, "family_name"]?.value() == "Doe")
            #expect(read.deviceSigned["org.example", "hash"]?.value() == .bytes([1]))
            #expect(read.msoX5chain.map { [UInt8]($0) } == chain.map(\.derBytes))
            #expect([UInt8](read.proof) == [7, 8])
            #expect(read.documentDataBytes == built.documentDataBytes && read.encodedBytes == built.encodedBytes)
        }
        let bare = try ZkDocument(docType: .mDL, zkSystemID: "1", timestamp: Self.today, issuerSigned: [:], proof: [])
        #expect(bare.issuerSigned.isEmpty && bare.msoX5chain.isEmpty)
    }

    private static let faults: [(key: String, value: CBOR?, code: MdocError.Code)] = [
        ("proof", nil, .missingMember), ("proof", "x", .unexpectedType),
        ("docType", nil, .missingMember), ("zkSystemId", nil, .missingMember), ("zkSystemId", 1, .unexpectedType),
        ("timestamp", nil, .missingMember), ("timestamp", "2026-01-01", .deviation),
        ("timestamp", .tagged(1004, "2026-1-1"), .invalidValue),
        ("issuerSigned", [], .unexpectedType), ("issuerSigned", [:], .deviation),
        ("issuerSigned", ["n": []], .deviation), ("issuerSigned", ["n": [[:]]], .missingMember),
        ("issuerSigned", ["n": [["elementIdentifier": "a"]]], .missingMember),
        (
            "issuerSigned",
            ["n": [["elementIdentifier": "a", "elementValue": 1], ["elementIdentifier": "a", "elementValue": 2]]],
            .duplicateElement
        ),
        ("deviceSigned", ["n": 1], .unexpectedType), ("msoX5chain", "x", .unexpectedType),
        ("msoX5chain", [.bytes([1])], .deviation), ("msoX5chain", [], .deviation),
        ("msoX5chain", [.bytes([1]), 2], .unexpectedType),
    ]

    /// As with documents, the response and its other proofs can be used.
    @Test(arguments: faults.indices)
    func aMalformedProofFailsAlone(_ index: Int) throws {
        let (key, value, code) = Self.faults[index]
        let response = try DeviceResponse(decoding: response([(key, value)]))
        #expect(response.zkDocuments.count == 1)
        let unreadable = try #require(response.unreadableZkDocuments.first)
        #expect(unreadable.index == 1 && unreadable.error.code == code, "\(unreadable.error)")
        #expect(unreadable.error.path.first?.hasPrefix("zkDocuments[1]") == true)
    }

    @Test func deployedFormsAreTolerated() throws {
        let bytes = try response([("issuerSigned", [:]), ("msoX5chain", [.bytes([1])])])
        let response = try DeviceResponse(decoding: bytes, options: .deployed)
        #expect(response.zkDocuments.count == 2 && response.unreadableZkDocuments.isEmpty)
        #expect(response.deviations.map(\.tolerance) == [.emptyMember, .arrayOfOneCertificate])
    }

    @Test func elementsHaveLimits() throws {
        var options = MdocReadingOptions.strict
        options.limits.elements = 2
        #expect(try DeviceResponse(decoding: response([]), options: options).zkDocuments.count == 2)
        options.limits.elements = 1
        let response = try DeviceResponse(decoding: response([]), options: options)
        #expect(response.unreadableZkDocuments.map(\.error.code) == [.limitExceeded, .limitExceeded])
    }

    @Test func encryptedToAnotherRecipient() async throws {
        let key = try PrivateKey.generate(.p256)
        let parameters = try EncryptionParameters(recipientKey: key.publicKey)
        let transcript = SessionTranscript(handover: .qr)
        let sealed = try EncryptedDocument(
            encrypting: [],
            zkDocuments: [document()],
            answering: 0,
            to: parameters,
            sessionTranscript: transcript
        )
        let decrypted = try await sealed.decrypted(with: key, parameters: parameters, sessionTranscript: transcript)
        #expect(decrypted.response.documents.isEmpty)
        #expect(decrypted.response.zkDocuments.map(\.encodedBytes) == [try document().encodedBytes])
        let error = #expect(throws: MdocError.self) {
            try EncryptedDocument(encrypting: [], answering: 0, to: parameters, sessionTranscript: transcript)
        }
        #expect(error?.code == .invalidValue)
    }
}
