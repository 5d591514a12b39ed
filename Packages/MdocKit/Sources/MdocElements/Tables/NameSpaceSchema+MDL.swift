import MdocKit

extension NameSpaceSchema {
    /// The mobile driving licence (ISO/IEC 18013-5, 7.2.1).
    public static let mDL = NameSpaceSchema(
        .mDL,
        isClosed: true,
        [
            .init("family_name", .latin1, .mandatory),
            .init("given_name", .latin1, .mandatory),
            .init("birth_date", .fullDate, .mandatory),
            .init("issue_date", .dateOrTime, .mandatory),
            .init("expiry_date", .dateOrTime, .mandatory),
            .init("issuing_country", .countryCode, .mandatory),
            .init("issuing_authority", .latin1, .mandatory),
            .init("document_number", .latin1, .mandatory),
            .init("portrait", .image, .mandatory),
            .init("driving_privileges", .array(.drivingPrivilege, mayBeEmpty: true), .mandatory),
            .init("un_distinguishing_sign", .text(TextRules(form: .distinguishingSign)), .mandatory),
            .init("administrative_number", .latin1),
            .init("sex", .unsigned(allowed: [0, 1, 2, 9])),
            .init("height", .unsigned),
            .init("weight", .unsigned),
            .init("eye_colour", .latin1(oneOf: eyeColors)),
            .init("hair_colour", .latin1(oneOf: hairColors)),
            .init("birth_place", .latin1),
            .init("resident_address", .latin1),
            .init("portrait_capture_date", .dateTime),
            .init("age_in_years", .unsigned),
            .init("age_birth_year", .unsigned),
            .init(.ageOver, .bool),
            .init("issuing_jurisdiction", .text(TextRules(form: .subdivision(of: "issuing_country")))),
            .init("nationality", .countryCode),
            .init("resident_street", .latin1),
            .init("resident_city", .latin1),
            .init("resident_state", .latin1),
            .init("resident_postal_code", .latin1),
            .init("resident_country", .countryCode),
            .init(.beginning("biometric_template_"), .bytes(.biometricTemplate)),
            .init("family_name_national_character", .unicode),
            .init("given_name_national_character", .unicode),
            .init("signature_usual_mark", .image),
        ]
    )

    private static let eyeColors: Set<String> = [
        "black", "blue", "brown", "dichromatic", "grey", "green", "hazel", "maroon", "pink", "unknown",
    ]

    private static let hairColors: Set<String> = [
        "bald", "black", "blond", "brown", "grey", "red", "auburn", "sandy", "white", "unknown",
    ]
}

extension DataElementType {
    /// A category of vehicles with its dates and conditions (ISO/IEC 18013-5, 7.2.4).
    public static let drivingPrivilege = map([
        Member("vehicle_category_code", .latin1, isMandatory: true),
        Member("issue_date", .fullDate),
        Member("expiry_date", .fullDate),
        Member(
            "codes",
            .array(
                .map([
                    Member("code", .latin1, isMandatory: true),
                    Member("sign", .latin1),
                    Member("value", .latin1),
                ]),
                mayBeEmpty: false
            )
        ),
    ])
}
