import CBORKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

/// Document types, namespaces and identifiers are never empty (ISO/IEC 18013-5, 8.1).
@Suite struct EmptyNameTests {
    private func expectRefusal(_ body: () throws -> Void) {
        let error = #expect(throws: MdocError.self) { try body() }
        #expect(error?.code == .invalidValue)
    }

    @Test func builders() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        expectRefusal { try builder.add("Doe", as: "", in: .mDL) }
        expectRefusal { try builder.add("Doe", as: "family_name", in: "") }
        builder.decoys = ["": 1]
        expectRefusal { _ = try builder.template(x5chain: [utopia.documentSigner]) }
        let untyped = try utopia.builder(docType: "")
        expectRefusal { _ = try untyped.template(x5chain: [utopia.documentSigner]) }
        expectRefusal { _ = try KeyAuthorizations(nameSpaces: [""]) }
        expectRefusal { _ = try KeyAuthorizations(dataElements: [DataElementReference(.mDL, "")]) }
        expectRefusal { _ = try KeyAuthorizations(dataElements: [DataElementReference("", "a")]) }
    }

    @Test func requestBuilders() throws {
        for elements in [["": ["a": false]], [.mDL: ["a": false, "": false]]] as [DataElements<Bool>] {
            expectRefusal { _ = try ItemsRequest(docType: .mDL, nameSpaces: elements) }
            expectRefusal { _ = try ItemsRequest(nameSpaces: elements) }
        }
        for other in [DataElementReference("", "b"), DataElementReference(.mDL, "")] {
            var info = DocRequestInfo()
            info.alternativeDataElements = [
                AlternativeDataElements(DataElementReference(.mDL, "a"), alternativeElementSets: [[other]])
            ]
            expectRefusal {
                _ = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["a": false]], requestInfo: info)
            }
        }
    }

    @Test(
        arguments: [
            ["docType": "", "nameSpaces": ["a": ["b": true]]], ["docType": "a", "nameSpaces": ["": ["b": true]]],
            ["docType": "a", "nameSpaces": ["a": ["": true]]],
        ] as [CBOR]
    )
    func receivedRequests(_ items: CBOR) throws {
        let request: CBOR = [
            "version": "1.0", "docRequests": [["itemsRequest": .tagged(24, .bytes(items.encoded()))]],
        ]
        for options in [MdocReadingOptions.strict, .deployed] {
            expectRefusal { _ = try DeviceRequest(decoding: request.encoded(), options: options) }
        }
    }

    /// An item whose identifier has the given encoding, without the digest that it would need.
    private func credential(_ utopia: Utopia, identifier: [UInt8]) async throws -> [UInt8] {
        let item: [UInt8] =
            [0xa4] + ("digestID" as CBOR).encoded() + [0x00] + ("random" as CBOR).encoded() + [0x50]
            + [UInt8](repeating: 7, count: 16) + ("elementIdentifier" as CBOR).encoded() + identifier
            + ("elementValue" as CBOR).encoded() + [0xf5]
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.set("nameSpaces", ["org.iso.18013.5.1": [.tagged(24, .bytes(item))]])
        return credential.encoded()
    }

    @Test func receivedItems() async throws {
        let utopia = try await Utopia()
        let named = try await credential(utopia, identifier: [0x61, 0x61])
        #expect(try IssuerSigned(decoding: named)[.mDL, "a"] != nil)
        let empty = try await credential(utopia, identifier: [0x60])
        expectRefusal { _ = try IssuerSigned(decoding: empty) }
        // Of indefinite length, in no or one part that is empty.
        for identifier in [[0x7f, 0xff], [0x7f, 0x60, 0xff]] as [[UInt8]] {
            let bytes = try await credential(utopia, identifier: identifier)
            expectRefusal { _ = try IssuerSigned(decoding: bytes, options: .deployed) }
        }
        var unnamed = try CBOR(decoding: named)
        unnamed.change("nameSpaces") { nameSpaces in
            guard case .map(let members) = nameSpaces, let items = members["org.iso.18013.5.1"] else { return }
            nameSpaces = ["": items]
        }
        expectRefusal { _ = try IssuerSigned(decoding: unnamed.encoded()) }
    }

    @Test func receivedObjects() async throws {
        let utopia = try await Utopia()
        let changes: [@Sendable (inout CBOR) -> Void] = [
            { $0.set("docType", "") },
            { $0.change("valueDigests") { $0.set("", .map([0: .bytes([UInt8](repeating: 7, count: 32))])) } },
            { $0.change("deviceKeyInfo") { $0.set("keyAuthorizations", ["nameSpaces": [""]]) } },
            { $0.change("deviceKeyInfo") { $0.set("keyAuthorizations", ["dataElements": ["": ["a"]]]) } },
            { $0.change("deviceKeyInfo") { $0.set("keyAuthorizations", ["dataElements": ["a": ["b", ""]]]) } },
        ]
        for change in changes {
            let error = await #expect(throws: MdocError.self) { try await utopia.licence(changing: change) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test(arguments: [["": ["a": 0]], ["a": ["": 0]]] as [CBOR])
    func receivedErrors(_ errors: CBOR) async throws {
        let utopia = try await Utopia()
        var response = try CBOR(decoding: [UInt8](await utopia.present(utopia.licence()).encodedBytes))
        response.change("documents") { $0.change(0) { $0.set("errors", errors) } }
        let read = try DeviceResponse(decoding: response.encoded())
        #expect(read.documents.isEmpty)
        #expect(read.unreadableDocuments.map(\.error.code) == [.invalidValue])
    }
}
