import CBORKit
import Foundation
import MdocElements
import MdocKit
import TestSupport
import Testing

@Suite struct DataElementValueTests {
    /// ISO/IEC 18013-5, Annex D.2.1.
    static let annexD = [
        DrivingPrivilege(
            vehicleCategoryCode: "A",
            issueDate: FullDate("2018-08-09"),
            expiryDate: FullDate("2024-10-20")
        ),
        DrivingPrivilege(
            vehicleCategoryCode: "B",
            issueDate: FullDate("2017-02-23"),
            expiryDate: FullDate("2024-10-20")
        ),
    ]

    @Test func writesAndReadsTheDrivingPrivilegesOfAnnexD() throws {
        let bytes = try AnnexD.figure("driving-privileges")
        #expect(try Self.annexD.dataElement().encoded() == bytes)
        #expect(try [DrivingPrivilege](dataElement: CBORDocument(bytes).root, options: .strict) == Self.annexD)
    }

    @Test(.enabled(if: VectorSet("mdoc").isAvailable, VectorSet.absence))
    func writesTheDrivingPrivilegesOfTheVectors() throws {
        var count = 0
        for file in VectorSet("mdoc").files(withExtension: "json") {
            let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file.url)) as? [String: Any]
            for vector in root?["vectors"] as? [[String: Any]] ?? [] {
                guard let id = vector["id"] as? String, id.contains("driving-privileges"),
                    let hex = vector["hex"] as? String, let decoded = vector["decoded"] as? [[String: Any]]
                else { continue }
                let bytes = try #require([UInt8](hex: hex))
                let privileges = try [DrivingPrivilege](dataElement: CBORDocument(bytes).root, options: .strict)
                let codes = decoded.compactMap { $0["vehicle_category_code"] as? String }
                #expect(privileges.map(\.vehicleCategoryCode) == codes)
                for (privilege, expected) in zip(privileges, decoded) {
                    for (date, name) in [(privilege.issueDate, "issue_date"), (privilege.expiryDate, "expiry_date")] {
                        #expect(date?.description == (expected[name] as? [String: Any])?["value"] as? String)
                    }
                }
                #expect(try privileges.dataElement().encoded() == bytes)
                count += 1
            }
        }
        #expect(count > 0)
    }

    private func roundTrip<Value: DataElementConvertible & Equatable>(_ value: Value, _ expected: CBOR) throws {
        #expect(try value.dataElement() == expected)
        let document = try CBORDocument(expected.encoded())
        #expect(try Value(dataElement: document.root, options: .strict) == value)
    }

    @Test func writesAndReadsEveryType() throws {
        let day = try #require(FullDate(year: 1990, month: 5, day: 15))
        try roundTrip("Doe", "Doe")
        try roundTrip(true, true)
        try roundTrip(UInt64.max, .unsigned(.max))
        try roundTrip(-1, -1)
        try roundTrip([1, 2] as ArraySlice<UInt8>, .bytes([1, 2]))
        try roundTrip(["a", "b"], ["a", "b"])
        try roundTrip(day, .tagged(1004, "1990-05-15"))
        try roundTrip(Date(timeIntervalSince1970: 1_705_312_800), .tagged(0, "2024-01-15T10:00:00Z"))
        try roundTrip(FullDateOrTime.fullDate(day), .tagged(1004, "1990-05-15"))
        try roundTrip(FullDateOrTime.dateTime(Date(timeIntervalSince1970: 0)), .tagged(0, "1970-01-01T00:00:00Z"))
        try roundTrip(Sex.notSpecified, 9)
        try roundTrip(Nationalities(["NL", "DE"]), ["NL", "DE"])
        try roundTrip(Nationalities(single: "NL"), "NL")
        try roundTrip(BirthDate(day), ["birth_date": .tagged(1004, "1990-05-15")])
        let uncertain = try #require(BirthDate(day, approximateMask: "00000011"))
        try roundTrip(
            uncertain,
            ["birth_date": .tagged(1004, "1990-05-15"), "approximate_mask": "00000011"]
        )
        #expect(BirthDate(day).isExact && !uncertain.isExact)
        try roundTrip(PlaceOfBirth(country: "NL", locality: "Delft"), ["country": "NL", "locality": "Delft"])
        try roundTrip(
            DrivingPrivilege(vehicleCategoryCode: "B", codes: [.init("01"), .init("S01", sign: "<=", value: "2500")]),
            [
                "vehicle_category_code": "B",
                "codes": [["code": "01"], ["code": "S01", "sign": "<=", "value": "2500"]],
            ]
        )
    }

    @Test func writesAndReadsDomesticPrivileges() throws {
        let day = try #require(FullDate("2024-01-02"))
        try roundTrip(
            DomesticDrivingPrivilege(
                vehicleClass: .init(code: "D", description: "Regular", issueDate: day, expiryDate: day),
                restrictions: [.init(description: "Corrective lenses")],
                endorsements: [.init(code: "M", description: "Motorcycle")]
            ),
            [
                "domestic_vehicle_class": [
                    "domestic_vehicle_class_code": "D", "domestic_vehicle_class_description": "Regular",
                    "issue_date": .tagged(1004, "2024-01-02"), "expiry_date": .tagged(1004, "2024-01-02"),
                ],
                "domestic_vehicle_restrictions": [["domestic_vehicle_restriction_description": "Corrective lenses"]],
                "domestic_vehicle_endorsements": [
                    [
                        "domestic_vehicle_endorsement_code": "M",
                        "domestic_vehicle_endorsement_description": "Motorcycle",
                    ]
                ],
            ]
        )
        try roundTrip(DomesticDrivingPrivilege(vehicleClass: nil), .map([:]))
    }

    private func code<Value: DataElementConvertible>(
        of value: CBOR,
        as type: Value.Type,
        options: MdocReadingOptions = .strict
    ) throws -> MdocError.Code? {
        let document = try CBORDocument(value.encoded())
        return #expect(throws: MdocError.self) { try Value(dataElement: document.root, options: options) }?.code
    }

    @Test func saysWhatIsWrong() throws {
        #expect(try code(of: 1, as: String.self) == .unexpectedType)
        #expect(try code(of: "true", as: Bool.self) == .unexpectedType)
        #expect(try code(of: -1, as: UInt64.self) == .invalidValue)
        #expect(try code(of: "x", as: ArraySlice<UInt8>.self) == .unexpectedType)
        #expect(try code(of: "1990-05-15", as: FullDate.self) == .deviation)
        #expect(try code(of: 19_900_515, as: FullDate.self) == .unexpectedType)
        #expect(try code(of: .tagged(1004, "1990-02-30"), as: FullDate.self) == .invalidValue)
        #expect(try code(of: .tagged(0, "1990-05-15"), as: Date.self) == .invalidValue)
        #expect(try code(of: "1990-05-15", as: FullDateOrTime.self) == .deviation)
        #expect(try code(of: 19_900_515, as: FullDateOrTime.self) == .unexpectedType)
        #expect(try code(of: "male", as: Sex.self) == .unexpectedType)
        #expect(try code(of: [1], as: Nationalities.self) == .unexpectedType)
        #expect(try code(of: 1, as: Nationalities.self) == .unexpectedType)
        #expect(try code(of: .map([:]), as: BirthDate.self) == .missingMember)
        let mask: CBOR = ["birth_date": .tagged(1004, "1990-05-15"), "approximate_mask": "0000001"]
        #expect(try code(of: mask, as: BirthDate.self) == .invalidValue)
        #expect(try code(of: ["x"], as: PlaceOfBirth.self) == .unexpectedType)
        #expect(try code(of: ["country": 1], as: PlaceOfBirth.self) == .unexpectedType)
        #expect(try code(of: .map([:]), as: DrivingPrivilege.self) == .missingMember)
        #expect(
            try code(of: ["vehicle_category_code": "B", "codes": [["sign": "="]]], as: DrivingPrivilege.self)
                == .missingMember
        )
        #expect(
            try code(of: ["domestic_vehicle_class": .map([:])], as: DomesticDrivingPrivilege.self) == .missingMember
        )
        #expect(
            try code(of: ["domestic_vehicle_restrictions": [.map([:])]], as: DomesticDrivingPrivilege.self)
                == .missingMember
        )
    }

    @Test func takesATimeForADayOnlyWhereThatIsTolerated() throws {
        let time: CBOR = .tagged(0, "1990-05-15T00:00:00Z")
        let root = try CBORDocument(time.encoded()).root
        #expect(try FullDate(dataElement: root, options: .deployed) == FullDate("1990-05-15"))
        #expect(try code(of: time, as: FullDate.self) == .deviation)
        #expect(try code(of: .tagged(0, "1990-05-15T00:00:00.5Z"), as: Date.self) == .deviation)
    }

    @Test func refusesDaysThatHaveNoText() throws {
        #expect(FullDate(year: 10_000, month: 1, day: 1) == nil)
        #expect(FullDate(year: 2023, month: 2, day: 29) == nil)
        #expect(FullDate("2023-2-1") == nil)
        #expect(BirthDate(try #require(FullDate("1990-05-15")), approximateMask: "11") == nil)
        let error = #expect(throws: MdocError.self) { try Date(timeIntervalSince1970: 1e15).dataElement() }
        #expect(error?.code == .invalidValue)
    }

    @Test func readsTheElementsOfAVerifiedDocument() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        try builder.add(encoding: Self.annexD, as: "driving_privileges", in: .mDL)
        try builder.add(encoding: Sex.female, as: "sex", in: .mDL)
        let licence = try await utopia.issue(builder)
        #expect(try licence[.mDL, "sex"]?.read(as: Sex.self) == .female)
        let document = try #require(try await utopia.verify(utopia.present(licence)).verifiedDocuments.first)
        #expect(try document.read("family_name", in: .mDL) == "Doe")
        #expect(try document.read("birth_date", in: .mDL, as: FullDate.self) == FullDate("1990-05-15"))
        #expect(try document.read("driving_privileges", in: .mDL) == Self.annexD)
        #expect(try document.read("age_over_18", in: .mDL) == true)
        #expect(try document.read("portrait", in: .mDL, as: ArraySlice<UInt8>.self) == nil)
        let error = #expect(throws: MdocError.self) { try document.read("family_name", in: .mDL, as: UInt64.self) }
        #expect(error?.code == .unexpectedType)
    }

    @Test func ordersAndPrintsDays() throws {
        let early = try #require(FullDate("1990-05-15"))
        let late = try #require(FullDate("1990-05-16"))
        #expect(early < late && early.description == "1990-05-15")
        #expect(FullDateOrTime.fullDate(late).start.timeIntervalSince(FullDateOrTime.fullDate(early).start) == 86_400)
        #expect(FullDateOrTime.dateTime(Date(timeIntervalSince1970: 0)).description == "1970-01-01T00:00:00Z")
        #expect(FullDateOrTime.fullDate(early).description == "1990-05-15")
    }

    @Test func collectsValuesOnceForEachElement() throws {
        let (first, second) = (DataElementReference(.mDL, "a"), DataElementReference("other", "a"))
        let elements = try DataElements([(first, "x"), (second, [1, 2])])
        #expect(elements[.mDL, "a"] == "x" && elements["other", "a"] == [1, 2] && elements.count == 2)
        let error = #expect(throws: MdocError.self) { try DataElements([(first, "x"), (first, "y")]) }
        #expect(error?.code == .duplicateElement)
    }
}
