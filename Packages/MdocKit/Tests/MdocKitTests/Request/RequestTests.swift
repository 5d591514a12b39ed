import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

@Suite struct RequestTests {
    private func itemsRequest(_ docType: DocType = .mDL, info: DocRequestInfo? = nil) throws -> ItemsRequest {
        try ItemsRequest(
            docType: docType,
            nameSpaces: [.mDL: ["family_name": true, "portrait": false], "org.example": ["a": false]],
            requestInfo: info
        )
    }

    @Test func theVersionFollowsFromTheMembers() throws {
        let docRequest = DocRequest(try itemsRequest())
        #expect(try DeviceRequest(docRequests: [docRequest]).version == .v1_0)
        let key = try COSEKey(publicKey: PrivateKey.generate(.p256).publicKey)
        #expect(try DeviceRequest(docRequests: [docRequest], macKeys: [key]).version == .v1_1)
        let info = try DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [[0]])])
        #expect(try DeviceRequest(docRequests: [docRequest], deviceRequestInfo: info).version == .v1_1)
    }

    /// Requests bring what their ecosystem defines, such as the registration certificate of a European relying party.
    @Test func extensionsTravel() throws {
        var info = DocRequestInfo()
        info.extensions = ["euWrprc": .bytes([1, 2]), "org.example.b": ["c": 3]]
        let whole = try DeviceRequestInfo(
            useCases: [UseCase(mandatory: true, documentSets: [[0]])],
            extensions: ["org.example.a": true]
        )
        let built = try DeviceRequest(docRequests: [DocRequest(itemsRequest(info: info))], deviceRequestInfo: whole)
        let read = try DeviceRequest(decoding: [UInt8](built.encodedBytes))
        #expect(read.deviations.isEmpty)
        let again = try #require(read.docRequests.first?.itemsRequest.requestInfo)
        #expect(again.extensions == info.extensions)
        #expect(again.extensions["euWrprc"] == .bytes([1, 2]))
        #expect(read.deviceRequestInfo?.extensions == ["org.example.a": true])
        #expect(read.deviceRequestInfo?.useCases == whole.useCases)
        let alone = try DeviceRequestInfo(useCases: [], extensions: ["org.example.a": 1])
        let other = try DeviceRequest(docRequests: [DocRequest(itemsRequest())], deviceRequestInfo: alone)
        #expect(try DeviceRequest(decoding: [UInt8](other.encodedBytes)).deviceRequestInfo?.useCases == [])
    }

    @Test(
        arguments: [
            CBORMap([.init(key: 1, value: 1)]), ["uniqueDocSetRequired": true], ["zkRequest": 1],
            CBORMap([.init(key: "a", value: 1), .init(key: "a", value: 2)]),
        ]
    )
    func namesOfExtensions(_ extensions: CBORMap) throws {
        var info = DocRequestInfo()
        info.extensions = extensions
        let error = #expect(throws: MdocError.self) { try itemsRequest(info: info) }
        #expect(error?.code == .invalidValue)
    }

    @Test func everythingTravels() throws {
        var info = DocRequestInfo()
        info.alternativeDataElements = [
            AlternativeDataElements(
                DataElementReference(.mDL, "portrait"),
                alternativeElementSets: [[DataElementReference("org.example", "a")]]
            )
        ]
        info.issuerIdentifiers = [[1, 2], [3]]
        info.uniqueDocSetRequired = false
        info.maximumResponseSize = 70_000
        info.zkRequest = ZkRequest(
            systemSpecs: [.init(zkSystemID: "1", system: "longfellow", params: ["version": 5])],
            zkRequired: true
        )
        info.docResponseEncryption = CBOR.tagged(24, .bytes([0xa0])).encoded()
        let key = try PrivateKey.generate(.x25519).publicKey
        let built = try DeviceRequest(
            docRequests: [DocRequest(itemsRequest(info: info)), DocRequest(itemsRequest("org.example"))],
            deviceRequestInfo: DeviceRequestInfo(useCases: [
                UseCase(
                    mandatory: true,
                    documentSets: [[0, 1], [1]],
                    purposeHints: [.init(controller: "org.iso.jtc1.sc17", code: 3)]
                )
            ]),
            macKeys: [COSEKey(publicKey: key)]
        )
        let read = try DeviceRequest(decoding: [UInt8](built.encodedBytes))
        #expect(read.deviations.isEmpty)
        #expect(read.docRequests.map(\.itemsRequest.docType) == [.mDL, "org.example"])
        let request = try #require(read.docRequests.first).itemsRequest
        #expect(try request.nameSpaces == itemsRequest().nameSpaces)
        let again = try #require(request.requestInfo)
        #expect(again.alternativeDataElements == info.alternativeDataElements)
        #expect(again.issuerIdentifiers == info.issuerIdentifiers)
        #expect(again.uniqueDocSetRequired == false)
        #expect(again.maximumResponseSize == 70_000)
        #expect(again.zkRequest == info.zkRequest)
        #expect(again.docResponseEncryption == info.docResponseEncryption)
        #expect(read.deviceRequestInfo?.useCases == built.deviceRequestInfo?.useCases)
        #expect(try read.macKeys.first?.publicKey() == key)
    }

    @Test func refusesWhatTheStandardForbids() throws {
        let empty = #expect(throws: MdocError.self) { try ItemsRequest(docType: .mDL, nameSpaces: [:]) }
        #expect(empty?.code == .invalidValue)
        let nothing = #expect(throws: MdocError.self) { try DeviceRequest(docRequests: []) }
        #expect(nothing?.code == .invalidValue)
        let noUse = #expect(throws: MdocError.self) { try DeviceRequestInfo(useCases: []) }
        let ownName = #expect(throws: MdocError.self) {
            try DeviceRequestInfo(useCases: [], extensions: ["useCases": 1])
        }
        #expect(ownName?.code == .invalidValue)
        #expect(noUse?.code == .invalidValue)
        let noSet = #expect(throws: MdocError.self) {
            try DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [])])
        }
        #expect(noSet?.code == .invalidValue)
        let noDocument = #expect(throws: MdocError.self) {
            try DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [[0], []])])
        }
        #expect(noDocument?.code == .invalidValue)
        let outside = #expect(throws: MdocError.self) {
            try DeviceRequest(
                docRequests: [DocRequest(itemsRequest())],
                deviceRequestInfo: DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [[1]])])
            )
        }
        #expect(outside?.code == .invalidValue)
    }

    @Test func refusesConditionsThatTheStandardForbids() throws {
        let alternatives = AlternativeDataElements(
            DataElementReference(.mDL, "portrait"),
            alternativeElementSets: [[DataElementReference(.mDL, "family_name")]]
        )
        var info = DocRequestInfo()
        func build(_ elements: DataElements<Bool>) throws {
            _ = try ItemsRequest(docType: .mDL, nameSpaces: elements, requestInfo: info)
        }
        let empty = #expect(throws: MdocError.self) { try build([.mDL: ["portrait": false]]) }
        #expect(empty?.code == .invalidValue)
        #expect(empty?.path == ["requestInfo"])
        info.alternativeDataElements = [alternatives]
        try build([.mDL: ["portrait": false]])
        for elements in [[.mDL: ["family_name": false]], ["org.example": ["portrait": false]]] as [DataElements<Bool>] {
            let error = #expect(throws: MdocError.self) { try build(elements) }
            #expect(error?.code == .invalidValue)
            #expect(error?.path == ["requestInfo", "alternativeDataElements"])
        }
        let untyped = #expect(throws: MdocError.self) {
            try ItemsRequest(nameSpaces: [.mDL: ["family_name": false]], requestInfo: info)
        }
        #expect(untyped?.code == .invalidValue)
    }

    /// 13.4.6; what a wallet receives is read, and answered with two.
    @Test func asksForTwoStatementsOfAgeAtMost() throws {
        let two: KeyValuePairs<DataElementIdentifier, Bool> = ["age_over_16": false, "age_over_18": false]
        _ = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: two])
        // No statement of age has one digit.
        _ = try ItemsRequest(
            docType: .mDL,
            nameSpaces: [.mDL: ["age_over_16": false, "age_over_18": false, "age_over_1": false]]
        )
        let three: KeyValuePairs<DataElementIdentifier, Bool> = [
            "age_over_16": false, "age_over_18": false, "age_over_21": false,
        ]
        let error = #expect(throws: MdocError.self) {
            try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: three])
        }
        #expect(error?.code == .invalidValue)
        #expect(try ItemsRequest.received(three).nameSpaces.references.count == 3)
        // The rule is one of licences, whether the type is stated first or last.
        #expect(try ItemsRequest(docType: .euPID, nameSpaces: [.euPID: three]).nameSpaces.references.count == 3)
        let untyped = try ItemsRequest(nameSpaces: [.mDL: three])
        #expect(try DocRequest(docType: .photoID, itemsRequest: untyped).itemsRequest.nameSpaces.references.count == 3)
        let late = #expect(throws: MdocError.self) { try DocRequest(docType: .mDL, itemsRequest: untyped) }
        #expect(late?.code == .invalidValue)
    }

    /// The limit is one of the whole request, and of different statements.
    @Test func asksForTwoStatementsOfAgeInAllDocumentRequests() throws {
        func request(
            _ elements: [KeyValuePairs<DataElementIdentifier, Bool>],
            _ docType: DocType = .mDL
        ) throws -> DeviceRequest {
            let items = try elements.map { try ItemsRequest(docType: docType, nameSpaces: [.mDL: $0]) }
            return try DeviceRequest(docRequests: items.map { DocRequest($0) })
        }
        let two: KeyValuePairs<DataElementIdentifier, Bool> = ["age_over_16": false, "age_over_18": false]
        let third: KeyValuePairs<DataElementIdentifier, Bool> = ["age_over_21": false]
        #expect(try request([two, two, ["age_over_18": true]]).docRequests.count == 3)
        #expect(try request([two, third], .photoID).docRequests.count == 2)
        for elements in [[two, third], [third, two], [["age_over_65": false], ["age_over_18": true], third]] {
            let error = #expect(throws: MdocError.self) { try request(elements) }
            #expect(error?.code == .invalidValue)
            #expect(error?.path == ["docRequests"])
        }
        // A set of alternatives takes the place of one element.
        var info = DocRequestInfo()
        info.alternativeDataElements = [
            AlternativeDataElements(
                DataElementReference(.mDL, "age_over_18"),
                alternativeElementSets: [[DataElementReference(.mDL, "age_over_21")]]
            )
        ]
        let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: two], requestInfo: info)
        #expect(try DeviceRequest(docRequests: [DocRequest(items)]).docRequests.count == 1)
    }

    @Test func hasOneMACKeyOnEachCurve() throws {
        func keys(_ curves: EllipticCurve...) throws -> [COSEKey] {
            try curves.map { try COSEKey(publicKey: PrivateKey.generate($0).publicKey) }
        }
        let docRequest = DocRequest(try itemsRequest())
        let several = try DeviceRequest(docRequests: [docRequest], macKeys: keys(.p256, .p384, .x25519))
        #expect(several.macKeys.count == 3)
        let error = #expect(throws: MdocError.self) {
            try DeviceRequest(docRequests: [docRequest], macKeys: keys(.p256, .x25519, .p256))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.path == ["macKeys"])
    }

    /// A DeviceRequestInfo with one use case.
    private static func info(_ documentSets: CBOR) -> CBOR {
        let info: CBOR = ["useCases": [["mandatory": true, "documentSets": documentSets]]]
        return .tagged(24, .bytes(info.encoded()))
    }

    private static let faults: [MemberChange] = [
        MemberChange("version", "2.0", .unsupportedVersion),
        MemberChange("version", "1.x", .invalidValue),
        MemberChange("version", nil, .missingMember),
        MemberChange("docRequests", nil, .missingMember),
        MemberChange("docRequests", [], .invalidValue),
        MemberChange("docRequests", [[:]], .missingMember),
        MemberChange("docRequests", [["itemsRequest": .bytes([0xa0])]], .unexpectedType),
        MemberChange("docRequests", [["itemsRequest": .tagged(24, .bytes([0xa0]))]], .missingMember),
        MemberChange("docRequests", [["itemsRequest": .tagged(24, .bytes([0xa1]))]], .malformedCBOR),
        MemberChange("deviceRequestInfo", .tagged(24, .bytes([0x80])), .unexpectedType),
        MemberChange("deviceRequestInfo", info([]), .invalidValue),
        MemberChange("deviceRequestInfo", info([[]]), .invalidValue),
        MemberChange("deviceRequestInfo", info([[0], []]), .invalidValue),
        MemberChange("deviceRequestInfo", info([[7]]), .invalidValue),
        // Good but for the version of the figure, 1.0.
        MemberChange("deviceRequestInfo", info([[0]]), .deviation),
        MemberChange("readerAuthAll", [], .deviation),
        MemberChange("readerAuthAll", [[]], .malformedCOSE),
        MemberChange("macKeys", [[:]], .malformedCOSE),
    ]

    @Test(arguments: faults)
    func refusesMalformedRequests(_ fault: MemberChange) throws {
        let bytes = try fault.applied(to: AnnexD.figure("device-request"))
        let error = #expect(throws: MdocError.self) { try DeviceRequest(decoding: bytes) }
        #expect(error?.code == fault.code, "\(String(describing: error))")
    }

    @Test func minorVersionsAreTaken() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-request"))
        value.set("version", "1.27")
        let version = try DeviceRequest(decoding: value.encoded()).version
        #expect(version.minor == 27)
        #expect(version > .v1_1)
    }
}
