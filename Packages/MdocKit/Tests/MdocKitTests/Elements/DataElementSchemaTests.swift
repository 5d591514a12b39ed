import CBORKit
import JSONKit
import MdocElements
import MdocKit
import TestSupport
import Testing

@Suite struct DataElementSchemaTests {
    static let jpeg: CBOR = .bytes([0xff, 0xd8, 0xff, 0xe0])

    /// A licence with every mandatory element.
    static let licence: DataElements<CBOR> = [
        .mDL: [
            "family_name": "Doe", "given_name": "José", "birth_date": .tagged(1004, "1990-05-15"),
            "issue_date": .tagged(1004, "2024-01-01"), "expiry_date": .tagged(0, "2034-01-01T00:00:00Z"),
            "issuing_country": "NL", "issuing_authority": "RDW", "document_number": "123", "portrait": jpeg,
            "driving_privileges": [], "un_distinguishing_sign": "NL",
        ]
    ]

    static let pid: DataElements<CBOR> = [
        .euPID: [
            "family_name": "Łąk", "given_name": "A", "birth_date": .tagged(1004, "1990-05-15"),
            "place_of_birth": ["country": "PL"], "nationality": ["PL"], "expiry_date": .tagged(1004, "2034-01-01"),
            "issuing_authority": "X", "issuing_country": "PL",
        ]
    ]

    static let photoID: DataElements<CBOR> = [
        .iso23220: [
            "family_name_unicode": "Łąk", "given_name_unicode": "A",
            "birth_date": ["birth_date": .tagged(1004, "1990-05-15"), "approximate_mask": "00000011"],
            "portrait": jpeg, "issue_date": .tagged(1004, "2024-01-01"), "expiry_date": .tagged(1004, "2034-01-01"),
            "issuing_authority_unicode": "X", "issuing_country": "PL",
        ]
    ]

    static let complete: [(DataElementSchema, DataElements<CBOR>)] = [
        (.mDL, licence), (.euPID, pid), (.photoID, photoID),
        (.euAgeVerification, [.euAgeVerification: ["age_over_18": true]]),
    ]

    @Test(arguments: [0, 1, 2, 3])
    func acceptsCompleteCredentials(_ index: Int) {
        let (schema, elements) = Self.complete[index]
        #expect(schema.deviations(of: elements) == [])
        #expect(DataElementSchema.schema(for: schema.docType) == schema)
    }

    @Test(arguments: [0, 1, 2, 3])
    func missesEveryMandatoryElement(_ index: Int) throws {
        let (schema, elements) = Self.complete[index]
        let table = try #require(schema.nameSpaces.first)
        #expect(table.mandatoryGroups.count == elements.count)
        for group in table.mandatoryGroups {
            var some = elements
            let identifier = try #require(group.first)
            some[table.nameSpace, identifier] = nil
            let deviations = schema.deviations(of: some)
            #expect(deviations.map(\.kind) == [.missing])
            #expect(deviations.first?.element == DataElementReference(table.nameSpace, identifier))
            #expect(schema.deviations(of: some, isComplete: false) == [])
        }
        #expect(schema.deviations(of: DataElements<CBOR>()).count == table.mandatoryGroups.count)
    }

    @Test(arguments: ["birth_place", "birth_city", "birth_state"] as [DataElementIdentifier])
    func takesTheOldPlaceOfBirth(_ identifier: DataElementIdentifier) {
        var pid = Self.pid
        pid[.euPID, "place_of_birth"] = nil
        pid[.euPID, identifier] = "Delft"
        #expect(DataElementSchema.euPID.deviations(of: pid) == [])
    }

    @Test func takesTheOldSpellings() throws {
        var pid = Self.pid
        pid[.euPID, "nationality"] = "PL"
        pid[.euPID, "age_over_18"] = true
        pid[.euPID, "sex"] = 6
        #expect(DataElementSchema.euPID.deviations(of: pid) == [])
        var early = DataElements<CBOR>()
        for (identifier, value) in pid[.euPID] { early[.euPIDEarly, identifier] = value }
        #expect(DataElementSchema.euPIDEarly.deviations(of: early) == [])
        var photoID = Self.photoID
        photoID[.iso23220, "birth_date"] = .tagged(1004, "1990-05-15")
        photoID[.digitalTravelCredential, "dtc_dg16"] = .bytes([1])
        photoID[.photoID, "person_id"] = "1"
        #expect(DataElementSchema.photoID.deviations(of: photoID) == [])
        let later = try #require(DataElementSchema.schema(for: .photoIDLowercase))
        #expect(later.deviations(of: photoID) == [])
        for nameSpace in [NameSpace.photoID, "org.iso.23220.photoid.1"] {
            photoID[nameSpace, "birth_country"] = 7
            #expect(later.deviations(of: photoID).map(\.kind) == [.wrongType])
            photoID[nameSpace, "birth_country"] = nil
        }
    }

    /// The rulebook's length of texts, and a place of birth with nothing in it (3.1.4).
    @Test(
        arguments: [
            ("family_name", .text(String(repeating: "Ł", count: 150)), nil),
            ("family_name", .text(String(repeating: "Ł", count: 151)), .tooLong),
            ("resident_street", .text(String(repeating: "x", count: 151)), .tooLong),
            ("place_of_birth", ["locality": "Delft"], nil),
            ("place_of_birth", ["region": "", "else": 1], nil),
            ("place_of_birth", [:], .missing),
            ("place_of_birth", ["else": 1], .missing),
        ] as [(DataElementIdentifier, CBOR, DataElementDeviation.Kind?)]
    )
    func followsThePIDRulebook(_ identifier: DataElementIdentifier, _ value: CBOR, _ kind: DataElementDeviation.Kind?) {
        var pid = Self.pid
        pid[.euPID, identifier] = value
        #expect(DataElementSchema.euPID.deviations(of: pid).map(\.kind) == (kind.map { [$0] } ?? []))
    }

    /// A proof of age has statements of age and nothing else.
    @Test func closesTheProofOfAge() {
        var proof: DataElements<CBOR> = [.euAgeVerification: ["age_over_18": true, "age_over_21": false]]
        #expect(DataElementSchema.euAgeVerification.deviations(of: proof) == [])
        proof[.euAgeVerification, "age_over_18"] = "yes"
        proof[.euAgeVerification, "birth_date"] = .tagged(1004, "1990-05-15")
        let kinds = DataElementSchema.euAgeVerification.deviations(of: proof).map(\.kind)
        #expect(kinds.count == 2 && Set(kinds) == [.wrongType, .unknownElement])
    }

    /// A value for an element of the licence, and what is wrong with it.
    static let faults: [(DataElementIdentifier, CBOR, DataElementDeviation.Kind)] = [
        ("family_name", 1, .wrongType),
        ("family_name", .null, .wrongType),
        ("family_name", .text(String(repeating: "x", count: 151)), .tooLong),
        ("family_name", "Łąk", .notLatin1),
        ("family_name", "a\u{7}", .notLatin1),
        ("birth_date", "1990-05-15", .wrongType),
        ("birth_date", .tagged(0, "1990-05-15T00:00:00Z"), .wrongType),
        ("birth_date", .tagged(1004, 7), .wrongType),
        ("birth_date", .tagged(1004, "1990-5-15"), .notAllowed),
        ("issue_date", "2024-01-01", .wrongType),
        ("issue_date", .tagged(0, "2024-01-01"), .notAllowed),
        ("issue_date", .tagged(0, "2024-01-01T00:00:00.0Z"), .notAllowed),
        ("issue_date", .tagged(0, "2024-01-01T00:00:00+01:00"), .notAllowed),
        ("issuing_country", "nl", .invalidCountryCode),
        ("issuing_country", "NLD", .invalidCountryCode),
        ("issuing_country", "UT", .unassignedCountryCode),
        ("portrait", "base64", .wrongType),
        ("portrait", .bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), .imageFormat),
        ("portrait", .bytes([]), .imageFormat),
        ("driving_privileges", .map([:]), .wrongType),
        ("driving_privileges", [.map([:])], .missing),
        ("driving_privileges", [["vehicle_category_code": 1]], .wrongType),
        ("driving_privileges", [["vehicle_category_code": "B", "issue_date": "2024-01-01"]], .wrongType),
        ("driving_privileges", [["vehicle_category_code": "B", "codes": []]], .notAllowed),
        ("driving_privileges", [["vehicle_category_code": "B", "codes": [["sign": "="]]]], .missing),
        ("un_distinguishing_sign", "nl", .notAllowed),
        ("un_distinguishing_sign", "ABCD", .notAllowed),
        ("sex", 3, .notAllowed),
        ("sex", "1", .wrongType),
        ("height", -1, .wrongType),
        ("eye_colour", "red", .notAllowed),
        ("hair_colour", "pink", .notAllowed),
        ("age_over_18", 1, .wrongType),
        ("age_over_5", true, .unknownElement),
        ("age_over_100", true, .unknownElement),
        ("issuing_jurisdiction", "NH", .notAllowed),
        ("issuing_jurisdiction", "NL-NHXX", .notAllowed),
        ("issuing_jurisdiction", "DE-BY", .inconsistent),
        ("nationality", ["NL"], .wrongType),
        ("biometric_template_face", .bytes([0x7f, 0x60]), .notAllowed),
        ("biometric_template_", .bytes([0x7f, 0x61]), .unknownElement),
        ("shoe_size", 42, .unknownElement),
        ("address", ["a", "a"], .unknownElement),
    ]

    @Test(arguments: faults.indices)
    func tellsWhatIsWrong(_ index: Int) {
        let (identifier, value, kind) = Self.faults[index]
        var licence = Self.licence
        licence[.mDL, identifier] = value
        let deviations = DataElementSchema.mDL.deviations(of: licence)
        #expect(deviations.map(\.kind) == [kind])
        #expect(deviations.first?.element == DataElementReference(.mDL, identifier))
        #expect(deviations.first?.description.contains(kind.description) == true)
    }

    @Test(
        arguments: [
            ("sex", 9), ("height", 182), ("eye_colour", "hazel"), ("age_over_00", false), ("age_over_99", false),
            ("issuing_jurisdiction", "NL-NH"), ("biometric_template_finger", .bytes([0x7f, 0x61, 0x01])),
            ("un_distinguishing_sign", ""),
            ("family_name_national_character", "Łąk"), ("signature_usual_mark", jpeg),
            ("portrait", .bytes([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a, 1])),
            ("family_name", .text(String(repeating: "ÿ", count: 150))),
            ("driving_privileges", [["vehicle_category_code": "B", "codes": [["code": "01"]], "more": 1]]),
        ] as [(DataElementIdentifier, CBOR)]
    )
    func acceptsOptionalElements(_ identifier: DataElementIdentifier, _ value: CBOR) {
        var licence = Self.licence
        licence[.mDL, identifier] = value
        #expect(DataElementSchema.mDL.deviations(of: licence) == [])
    }

    @Test func tellsThePlaceWithinAValue() {
        var licence = Self.licence
        licence[.mDL, "driving_privileges"] = [
            ["vehicle_category_code": "A"], ["vehicle_category_code": "B", "codes": [["code": 1]]],
        ]
        let deviation = DataElementSchema.mDL.deviations(of: licence).first
        #expect(deviation?.path == CBORPath([.index(1), .key("codes"), .index(0), .key("code")]))
    }

    @Test func refusesAValueThatIsNoCBOR() {
        var licence = Self.licence
        licence[.mDL, "family_name"] = .map(CBORMap([.init(key: 1, value: 1), .init(key: 1, value: 2)]))
        #expect(DataElementSchema.mDL.deviations(of: licence).map(\.kind) == [.notAllowed])
    }

    @Test func leavesUnknownNameSpacesAlone() {
        var licence = Self.licence
        licence[.domesticMDL("NL-NH"), "anything"] = 1
        licence[.aamva, "new_element"] = 1
        licence[.aamva, "DHS_compliance"] = "X"
        #expect(DataElementSchema.mDL.deviations(of: licence).map(\.element.identifier) == ["DHS_compliance"])
        #expect(DataElementSchema.schema(for: "org.example") == nil)
    }

    @Test func checksIssuedAndPresentedDocuments() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let kinds = DataElementSchema.mDL.deviations(of: licence).map(\.kind)
        #expect(kinds.filter { $0 == .missing }.count == 7)
        #expect(kinds.filter { $0 != .missing } == [.unassignedCountryCode])
        #expect(DataElementSchema.mDL.deviations(of: licence, isComplete: false).count == 1)
        let document = try #require(try await utopia.verify(utopia.present(licence)).verifiedDocuments.first)
        #expect(DataElementSchema.mDL.deviations(of: document).map(\.kind) == [.unassignedCountryCode])
    }

    @Test func findsARepeatedElement() async throws {
        let licence = try await Utopia().licence()
        var credential = try CBOR(decoding: Array(licence.encodedBytes))
        guard case .map(var members) = credential, case .map(var groups)? = members["nameSpaces"],
            case .array(let items)? = groups[.text(NameSpace.mDL.text)], let first = items.first
        else {
            Issue.record("no credential")
            return
        }
        groups[.text(NameSpace.mDL.text)] = .array(items + [first])
        members["nameSpaces"] = .map(groups)
        credential = .map(members)
        let changed = try IssuerSigned(decoding: credential.encoded())
        let deviations = DataElementSchema.mDL.deviations(of: changed, isComplete: false)
        #expect(deviations.map(\.kind) == [.unassignedCountryCode, .repeated])
        #expect(deviations.last?.element == DataElementReference(.mDL, "family_name"))
    }

    @Test func takesAnyBytes() throws {
        let licence = CBOR.map(
            CBORMap(Self.licence[.mDL].map { .init(key: .text($0.identifier.text), value: $0.value) })
        )
        let privileges = try DataElementValueTests.annexD.dataElement()
        var mutator = Mutator(seed: 11)
        var read = 0
        for seed in [licence.encoded(), privileges.encoded()] {
            for _ in 0..<2_000 {
                guard let document = try? CBORDocument(mutator.mutate(seed)) else { continue }
                var elements = DataElements<CBOR>()
                for pair in document.root.value().mapValue ?? CBORMap() {
                    guard case .text(let name) = pair.key else { continue }
                    elements[.mDL, DataElementIdentifier(name)] = pair.value
                }
                elements[.mDL, "driving_privileges"] = document.root.value()
                let deviations = DataElementSchema.mDL.deviations(of: elements)
                let privileges = try? [DrivingPrivilege](dataElement: document.root, options: .strict)
                let refused = deviations.contains {
                    $0.element.identifier == "driving_privileges" && $0.kind != .notLatin1
                }
                #expect(refused || privileges != nil)
                // Elements read from JSON by the tables have only the tables' types.
                if let again = try? DataElements(json: elements.json, schema: .mDL) {
                    let kinds = DataElementSchema.mDL.deviations(of: again).map(\.kind)
                    #expect(!kinds.contains(.wrongType))
                    read += 1
                }
            }
        }
        #expect(read > 0)
    }

    @Test func namesNameSpacesOfCountries() {
        #expect(NameSpace.domesticMDL("US-IA") == "org.iso.18013.5.1.US-IA")
        #expect(NameSpace.nationalPID("nl") == "eu.europa.ec.eudi.pid.nl.1")
    }

    @Test(
        arguments: [
            ([0xff, 0xd8, 0xff, 0xdb], .jpeg), ([0xff, 0x4f, 0xff, 0x51], .jpeg2000),
            (Array("GIF89a".utf8), .gif), (Array("RIFF1234WEBPVP8 ".utf8), .webP), ([0xff, 0xd8], nil), ([], nil),
        ] as [([UInt8], ImageFormat?)]
    )
    func tellsImageFormats(_ bytes: [UInt8], _ format: ImageFormat?) {
        #expect(ImageFormat(sniffing: bytes) == format)
    }
}
