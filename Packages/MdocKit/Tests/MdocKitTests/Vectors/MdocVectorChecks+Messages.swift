import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import TestSupport
import Testing

extension MdocVectorChecks {
    /// A response: what it holds, and that it verifies in one of the known sessions.
    static func response(_ vector: MdocVector, _ context: MdocVectorContext) async throws {
        let bytes = try vector.bytes("hex")
        let response = try DeviceResponse(decoding: bytes, options: .deployed)
        let expected = try #require(vector["expected"])
        #expect(response.status.rawValue == UInt64(try #require(expected["status"]?.integer)), "\(vector.id)")
        if let version = expected["version"]?.string {
            #expect(response.version.description == version, "\(vector.id)")
        }
        let time = expected["validAt"]?.string.flatMap { try? Date($0, strategy: .iso8601) }
        let verification = try await context.verify(response, at: time)
        let result = try #require(verification.documents.first)
        let document = try #require(result.verified, "\(vector.id): \(result.checks)")
        #expect(
            verification.deviations.map(\.description).starts(with: response.deviations.map(\.description)),
            "\(vector.id)"
        )
        // Strict reading takes exactly the messages without a deviation.
        let strict = try? DeviceResponse(decoding: bytes)
        #expect((strict?.unreadableDocuments.isEmpty == true) == response.deviations.isEmpty, "\(vector.id)")
        #expect(document.docType.text == expected["docType"]?.string, "\(vector.id)")
        if let items = expected["items"]?.array {
            #expect(document.elements.count == items.count, "\(vector.id)")
            for item in items { try checkItem(item, in: #require(response.documents.first).issuerSigned) }
        } else {
            #expect(document.elements.count == expected["items"]?.integer, "\(vector.id)")
        }
        switch try #require(response.documents.first).deviceSigned.deviceAuth {
        case .deviceMac: #expect(expected["deviceAuth"]?.string == "deviceMac", "\(vector.id)")
        case .deviceSignature: #expect(expected["deviceAuth"]?.string == "deviceSignature", "\(vector.id)")
        }
        if let object = expected["mso"] { try checkObject(object, in: #require(response.documents.first).issuerSigned) }
    }

    private static func checkItem(_ expected: VectorJSON, in issuerSigned: IssuerSigned) throws {
        let nameSpace = NameSpace(try #require(expected["nameSpace"]?.string))
        let identifier = DataElementIdentifier(try #require(expected["elementIdentifier"]?.string))
        let item = try #require(issuerSigned[nameSpace, identifier], "\(identifier)")
        #expect(Int(item.digestID.value) == expected["digestID"]?.integer, "\(identifier)")
        #expect([UInt8](item.random) == expected["random"]?.hex, "\(identifier)")
        #expect([UInt8](item.taggedBytes) == expected["issuerSignedItemBytes"]?.hex, "\(identifier)")
        #expect(HashAlgorithm.sha256.digest(of: item.taggedBytes) == expected["sha256"]?.hex, "\(identifier)")
        #expect(try #require(expected["elementValue"]).describes(item.elementValue.value()), "\(identifier)")
    }

    private static func checkObject(_ expected: VectorJSON, in issuerSigned: IssuerSigned) throws {
        let object = issuerSigned.mobileSecurityObject
        #expect(object.digestAlgorithm.text == expected["digestAlgorithm"]?.string)
        for (nameSpace, digests) in try #require(expected["valueDigests"]?.object) {
            let found = object.valueDigests[NameSpace(nameSpace)]
            #expect(found.count == digests.object?.count, "\(nameSpace)")
            for (digestID, digest) in found { #expect([UInt8](digest) == digests["\(digestID)"]?.hex, "\(digestID)") }
        }
    }

    /// A request: what it asks for, and that its readers' signatures verify in one of the known sessions.
    static func request(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let bytes = try vector.bytes("hex")
        let request = try MdocVectorContext.read(vector.id, \DeviceRequest.deviations) { options throws(MdocError) in
            try DeviceRequest(decoding: bytes, options: options)
        }
        let expected = try #require(vector["expected"])
        #expect(request.version.description == expected["version"]?.string, "\(vector.id)")
        let docRequests = expected["docRequests"]?.array ?? [expected]
        #expect(request.docRequests.count == docRequests.count, "\(vector.id)")
        for (docRequest, expected) in zip(request.docRequests, docRequests) {
            let itemsRequest = docRequest.itemsRequest
            #expect(itemsRequest.docType.text == expected["docType"]?.string, "\(vector.id)")
            for (nameSpace, elements) in try #require(expected["nameSpaces"]?.object) {
                let found = itemsRequest.nameSpaces[NameSpace(nameSpace)]
                #expect(found.count == elements.object?.count, "\(vector.id)")
                for (identifier, value) in found { #expect(value == elements[identifier.text]?.bool, "\(identifier)") }
            }
            if let info = expected["requestInfo"] { try checkInfo(info, of: itemsRequest) }
        }
        if let useCases = expected["deviceRequestInfo"]?["useCases"]?.array {
            #expect(request.deviceRequestInfo?.useCases.count == useCases.count, "\(vector.id)")
            for (useCase, expected) in zip(request.deviceRequestInfo?.useCases ?? [], useCases) {
                #expect(useCase.mandatory == expected["mandatory"]?.bool, "\(vector.id)")
                let sets = expected["documentSets"]?.array?.map { $0.array?.compactMap(\.integer) }
                #expect(useCase.documentSets == sets, "\(vector.id)")
                for hint in useCase.purposeHints {
                    #expect(
                        hint.code == expected["purposeHints"]?[hint.controller]?.integer.map(Int64.init),
                        "\(vector.id)"
                    )
                }
            }
        }
        if let bytes = expected["itemsRequestBytes"]?.hex {
            #expect(request.docRequests.first.map { [UInt8]($0.itemsRequest.taggedBytes) } == bytes, "\(vector.id)")
        }
        if let reader = expected["readerCertificate"]?.hex {
            try checkReader(Certificate(der: reader), vector, request, context)
        }
    }

    private static func checkInfo(_ expected: VectorJSON, of itemsRequest: ItemsRequest) throws {
        let info = try #require(itemsRequest.requestInfo)
        #expect(info.uniqueDocSetRequired == expected["uniqueDocSetRequired"]?.bool)
        let alternatives = try #require(expected["alternativeDataElements"]?.array)
        #expect(info.alternativeDataElements.count == alternatives.count)
        for (alternative, expected) in zip(info.alternativeDataElements, alternatives) {
            #expect(alternative.requestedElement == expected["requestedElement"].flatMap(reference))
            let sets = expected["alternativeElementSets"]?.array?.map { $0.array?.compactMap(reference) }
            #expect(alternative.alternativeElementSets == sets)
        }
    }

    private static func reference(_ node: VectorJSON) -> DataElementReference? {
        guard let names = node.array?.compactMap(\.string), names.count == 2 else { return nil }
        return DataElementReference(NameSpace(names[0]), DataElementIdentifier(names[1]))
    }

    private static func checkReader(
        _ certificate: Certificate,
        _ vector: MdocVector,
        _ request: DeviceRequest,
        _ context: MdocVectorContext
    ) throws {
        let time = certificate.notValidBefore.addingTimeInterval(86_400)
        let verifier = ReaderAuthenticationVerifier(trustAnchors: context.certificates, clock: { time })
        let readers = context.transcripts.compactMap { transcript in
            verifier.verify(request, sessionTranscript: transcript).docRequests.first??.verified?.leaf
        }
        #expect(readers.contains(certificate), "\(vector.id): no reader's signature verifies in a known session")
    }

    /// Single bytes of messages of the set changed: the message is refused, or the reader's signature is.
    static func mutations(_ vector: MdocVector, _ context: MdocVectorContext) async throws {
        for mutation in try #require(vector["mutations"]?.array) {
            let name = try #require(mutation["of"]?.string)
            var bytes = try #require(context.message(named: name))
            let offset = try #require(mutation["offset"]?.integer)
            try #require(bytes.indices.contains(offset))
            #expect([bytes[offset]] == mutation["from"]?.hex, "\(vector.id)")
            bytes[offset] = try #require(mutation["to"]?.hex?.first)
            let expectation = try #require(mutation["expect"]?.string)
            if let request = try? DeviceRequest(decoding: bytes, options: .deployed) {
                let failures = try context.transcripts.map { transcript in
                    let verifier = ReaderAuthenticationVerifier(trustAnchors: context.certificates)
                    let results = verifier.verify(request, sessionTranscript: transcript).docRequests
                    return try #require(results.first)?.failure?.check
                }
                #expect(failures.allSatisfy { $0 == .readerSignature }, "\(expectation)")
                continue
            }
            let verification = try await context.verify(DeviceResponse(decoding: bytes, options: .deployed), at: nil)
            let result = try #require(verification.documents.first)
            #expect(result.failure?.reason == .mobileCredentialInvalid, "\(expectation): \(result.checks)")
            #expect(result.verified == nil, "\(expectation)")
        }
    }
}
