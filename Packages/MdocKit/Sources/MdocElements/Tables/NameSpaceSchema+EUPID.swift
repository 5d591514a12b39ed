import MdocKit

extension NameSpaceSchema {
    /// The European person identification data, in its present and its former spelling.
    public static let euPID = NameSpaceSchema(
        .euPID,
        [
            .init("family_name", .pidText, .mandatory),
            .init("given_name", .pidText, .mandatory),
            .init("birth_date", .fullDate, .mandatory),
            .init("place_of_birth", .placeOfBirth, .mandatory),
            .init("birth_place", .pidText, .alternative(to: "place_of_birth")),
            .init("birth_country", .countryCode, .alternative(to: "place_of_birth")),
            .init("birth_state", .pidText, .alternative(to: "place_of_birth")),
            .init("birth_city", .pidText, .alternative(to: "place_of_birth")),
            .init("nationality", .oneOf([.array(.countryCode, mayBeEmpty: false), .countryCode]), .mandatory),
            .init("resident_address", .pidText),
            .init("resident_country", .countryCode),
            .init("resident_state", .pidText),
            .init("resident_city", .pidText),
            .init("resident_postal_code", .pidText),
            .init("resident_street", .pidText),
            .init("resident_house_number", .pidText),
            .init("personal_administrative_number", .pidText),
            .init("portrait", .image),
            .init("family_name_birth", .pidText),
            .init("given_name_birth", .pidText),
            .init("sex", .unsigned),
            .init("email_address", .pidText),
            .init("mobile_phone_number", .pidText),
            .init("expiry_date", .dateOrTime, .mandatory),
            .init("issuing_authority", .pidText, .mandatory),
            .init("issuing_country", .countryCode, .mandatory),
            .init("document_number", .pidText),
            .init("issuing_jurisdiction", .text(TextRules(form: .subdivision(of: "issuing_country")))),
            .init("issuance_date", .dateOrTime),
            .init("location_status", .pidText),
            .init("trust_anchor", .pidText),
            .init("attestation_legal_category", .pidText),
            .init(.ageOver, .bool),
            .init("age_in_years", .unsigned),
            .init("age_birth_year", .unsigned),
        ]
    )
}

extension DataElementType {
    /// A place of birth: country, region and locality, as far as they are known, but one of them.
    public static let placeOfBirth = map(
        [
            Member("country", .countryCode),
            Member("region", .unicode),
            Member("locality", .unicode),
        ],
        mayBeEmpty: false
    )
    /// Text of at most 150 characters, the text of the European person identification data.
    static let pidText = text(TextRules(maximumLength: 150))
}
