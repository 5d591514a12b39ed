import MdocKit

extension NameSpaceSchema {
    /// The elements of the American Association of Motor Vehicle Administrators for the mobile driving licence.
    public static let aamva = NameSpaceSchema(
        .aamva,
        [
            .init("domestic_driving_privileges", .array(.domesticDrivingPrivilege, mayBeEmpty: true)),
            .init("name_suffix", .latin1),
            .init("organ_donor", .unsigned),
            .init("veteran", .unsigned),
            .init("family_name_truncation", .latin1(oneOf: truncations)),
            .init("given_name_truncation", .latin1(oneOf: truncations)),
            .init("aka_family_name.v2", .unicode),
            .init("aka_given_name.v2", .unicode),
            .init("aka_family_name", .unicode),
            .init("aka_given_name", .unicode),
            .init("aka_suffix", .latin1),
            .init("weight_range", .unsigned),
            .init("race_ethnicity", .latin1),
            .init("EDL_credential", .unsigned),
            .init("sex", .unsigned),
            .init("DHS_compliance", .latin1(oneOf: ["F", "N"])),
            .init("resident_county", .latin1),
            .init("hazmat_endorsement_expiration_date", .fullDate),
            .init("CDL_indicator", .unsigned),
            .init("DHS_compliance_text", .latin1),
            .init("DHS_temporary_lawful_status", .unsigned),
            .init("aamva_version", .unsigned),
            .init("audit_information", .latin1),
        ]
    )

    /// Not truncated, truncated, unknown.
    private static let truncations: Set<String> = ["N", "T", "U"]
}

extension DataElementType {
    /// A class of vehicles with its restrictions and endorsements, as the AAMVA has it.
    public static let domesticDrivingPrivilege = map([
        Member("domestic_vehicle_class", .domesticVehicleClass),
        Member("domestic_vehicle_restrictions", codes("domestic_vehicle_restriction")),
        Member("domestic_vehicle_endorsements", codes("domestic_vehicle_endorsement")),
    ])

    private static let domesticVehicleClass = map([
        Member("domestic_vehicle_class_code", .latin1, isMandatory: true),
        Member("domestic_vehicle_class_description", .latin1, isMandatory: true),
        Member("issue_date", .fullDate),
        Member("expiry_date", .fullDate),
    ])

    private static func codes(_ name: String) -> DataElementType {
        .array(
            .map([
                Member("\(name)_code", .latin1),
                Member("\(name)_description", .latin1, isMandatory: true),
            ]),
            mayBeEmpty: false
        )
    }
}
