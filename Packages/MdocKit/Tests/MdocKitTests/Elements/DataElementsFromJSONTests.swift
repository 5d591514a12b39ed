import CBORKit
import JSONKit
import MdocElements
import MdocKit
import Testing

@Suite struct DataElementsFromJSONTests {
    private func elements(_ json: String, _ schema: DataElementSchema? = .mDL) throws -> DataElements<CBOR> {
        guard case .object(let object) = try JSONValue(parsing: json) else { return DataElements() }
        return try DataElements(json: object, schema: schema)
    }

    @Test func writesElementsAsTheTableHasThem() throws {
        let elements = try elements(
            """
            {"org.iso.18013.5.1": {
                "family_name": "Doe", "birth_date": "1990-05-15", "issue_date": "2024-01-01",
                "expiry_date": "2034-01-01T01:00:00.5+01:00", "issuing_country": "NL", "issuing_authority": "RDW",
                "document_number": "1", "portrait": "/9j/4A==", "signature_usual_mark": "_9j_4A",
                "biometric_template_face": {"base64": "f2E="}, "height": 182, "age_over_18": true,
                "portrait_capture_date": "2023-01-01T00:00:00Z", "given_name": "Jane", "un_distinguishing_sign": "NL",
                "driving_privileges": [{"vehicle_category_code": "B", "issue_date": "2018-08-09",
                    "codes": [{"code": "01"}], "extra": {"some_date": "2020-01-01"}}]
            }}
            """
        )
        let expected: DataElements<CBOR> = [
            .mDL: [
                "family_name": "Doe", "birth_date": .tagged(1004, "1990-05-15"),
                "issue_date": .tagged(1004, "2024-01-01"), "expiry_date": .tagged(0, "2034-01-01T00:00:00Z"),
                "issuing_country": "NL", "issuing_authority": "RDW", "document_number": "1",
                "portrait": .bytes([0xff, 0xd8, 0xff, 0xe0]), "signature_usual_mark": .bytes([0xff, 0xd8, 0xff, 0xe0]),
                "biometric_template_face": .bytes([0x7f, 0x61]), "height": 182, "age_over_18": true,
                "portrait_capture_date": .tagged(0, "2023-01-01T00:00:00Z"), "given_name": "Jane",
                "un_distinguishing_sign": "NL",
                "driving_privileges": [
                    [
                        "vehicle_category_code": "B", "issue_date": .tagged(1004, "2018-08-09"),
                        "codes": [["code": "01"]], "extra": ["some_date": .tagged(1004, "2020-01-01")],
                    ]
                ],
            ]
        ]
        #expect(elements == expected)
        #expect(DataElementSchema.mDL.deviations(of: elements) == [])
    }

    @Test func writesTheFormsOfOtherDocuments() throws {
        let pid = try elements(
            #"{"eu.europa.ec.eudi.pid.1": {"nationality": ["NL"], "place_of_birth": {"country": "NL"}}}"#,
            .euPID
        )
        #expect(pid[.euPID, "nationality"] == ["NL"])
        #expect(pid[.euPID, "place_of_birth"] == ["country": "NL"])
        let older = try elements(#"{"eu.europa.ec.eudi.pid.1": {"nationality": "NL"}}"#, .euPID)
        #expect(older[.euPID, "nationality"] == "NL")
        for (json, value) in [
            (#"{"birth_date": "1990-05-15"}"#, ["birth_date": .tagged(1004, "1990-05-15")]),
            (#""1990-05-15""#, .tagged(1004, "1990-05-15")),
        ] as [(String, CBOR)] {
            let photoID = try elements(#"{"org.iso.23220.1": {"birth_date": \#(json)}}"#, .photoID)
            #expect(photoID[.iso23220, "birth_date"] == value)
        }
    }

    @Test func mapsUnknownElementsPlainly() throws {
        let elements = try elements(
            """
            {"org.example": {"a": null, "b": [1, -2, 1.5, "x", true], "c": {"base64url": "AQI"}, "d": {"x": {}},
                "e_date": "2020-01-01", "f_date": "2020-01-01T01:00:00.5+01:00", "g_date": "soon", "h": "2020-01-01",
                "i": 18446744073709551616, "j": {"base64url": 1}, "k": {"base64url": "AQI", "more": 1}}}
            """
        )
        let expected: DataElements<CBOR> = [
            "org.example": [
                "a": .null, "b": [1, -2, .double(1.5), "x", true], "c": .bytes([1, 2]), "d": ["x": .map([:])],
                "e_date": .tagged(1004, "2020-01-01"), "f_date": .tagged(0, "2020-01-01T00:00:00Z"),
                "g_date": "soon", "h": "2020-01-01", "i": .integer(Int128(1) << 64), "j": ["base64url": 1],
                "k": ["base64url": "AQI", "more": 1],
            ]
        ]
        #expect(elements == expected)
        #expect(try CBOR(dataElementJSON: ["x", 1]) == ["x", 1])
        #expect(try CBOR(dataElementJSON: "2020-01-01", named: "some_date") == .tagged(1004, "2020-01-01"))
    }

    @Test func comesBackFromItsOwnJSON() throws {
        let json = DataElementSchemaTests.licence.json
        #expect(try DataElements(json: json, schema: .mDL) == DataElementSchemaTests.licence)
        #expect(
            try DataElements(json: DataElementSchemaTests.photoID.json, schema: .photoID)
                == DataElementSchemaTests.photoID
        )
    }

    @Test(
        arguments: [
            (#""family_name": 1"#, .unexpectedType),
            (#""family_name": null"#, .unexpectedType),
            (#""birth_date": "15 May 1990""#, .invalidValue),
            (#""birth_date": "1990-05-15T00:00:00Z""#, .invalidValue),
            (#""birth_date": 19900515"#, .unexpectedType),
            (#""issue_date": "soon""#, .invalidValue),
            (#""portrait_capture_date": "2020-01-01""#, .invalidValue),
            (#""portrait": "!""#, .invalidValue),
            (#""portrait": {"hex": "00"}"#, .unexpectedType),
            (#""portrait": {"base64": "_"}"#, .invalidValue),
            (#""portrait": 1"#, .unexpectedType),
            (#""height": -1"#, .invalidValue),
            (#""height": 1.5"#, .invalidValue),
            (#""height": "182""#, .unexpectedType),
            (#""age_over_18": "true""#, .unexpectedType),
            (#""driving_privileges": {}"#, .unexpectedType),
            (#""driving_privileges": [{}]"#, .missingMember),
            (#""driving_privileges": [{"vehicle_category_code": "B", "issue_date": "x"}]"#, .invalidValue),
            (#""unknown": {"base64url": "="}"#, .invalidValue),
            (#""unknown": 1e999"#, .invalidValue),
        ] as [(String, MdocError.Code)]
    )
    func refusesWhatDoesNotFit(_ member: String, _ code: MdocError.Code) throws {
        let error = #expect(throws: MdocError.self) { try elements(#"{"org.iso.18013.5.1": {\#(member)}}"#) }
        #expect(error?.code == code)
        #expect(error?.path.first == "org.iso.18013.5.1")
    }

    @Test func refusesANameSpaceThatIsNoObject() throws {
        let error = #expect(throws: MdocError.self) { try elements(#"{"org.iso.18013.5.1": []}"#) }
        #expect(error?.code == .unexpectedType)
    }

    @Test func tellsThePlace() throws {
        let error = #expect(throws: MdocError.self) {
            try elements(#"{"org.iso.18013.5.1": {"driving_privileges": [{"vehicle_category_code": 1}]}}"#)
        }
        #expect(error?.path == ["org.iso.18013.5.1", "driving_privileges[0]", "vehicle_category_code"])
    }

    @Test func needsNoStackForDepth() throws {
        var json: JSONValue = 0
        for _ in 0..<150 { json = [json] }
        var value = try CBOR(dataElementJSON: json)
        for _ in 0..<150 { value = value.arrayValue?.first ?? .null }
        #expect(value == 0)
    }
}
