import MdocKit

extension NameSpaceSchema {
    /// The European person identification data, in its present and its former spelling.
    public static let euPID = NameSpaceSchema(
        .euPID,
        [
            .init("family_name", .unicode, .mandatory),
            .init("given_name", .unicode, .mandatory),
            .init("birth_date", .fullDate, .mandatory),
            .init("place_of_birth", .placeOfBirth, .mandatory),
            .init("birth_place", .unicode, .alternative(to: "place_of_birth")),
            .init("birth_country", .countryCode, .alternative(to: "place_of_birth")),
            .init("birth_state", .unicode, .alternative(to: "place_of_birth")),
            .init("birth_city", .unicode, .alternative(to: "place_of_birth")),
            .init("nationality", .oneOf([.array(.countryCode, mayBeEmpty: false), .countryCode]), .mandatory),
            .init("resident_address", .unicode),
            .init("resident_country", .countryCode),
            .init("resident_state", .unicode),
            .init("resident_city", .unicode),
            .init("resident_postal_code", .unicode),
            .init("resident_street", .unicode),
            .init("resident_house_number", .unicode),
            .init("personal_administrative_number", .unicode),
            .init("portrait", .image),
            .init("family_name_birth", .unicode),
            .init("given_name_birth", .unicode),
            .init("sex", .unsigned),
            .init("email_address", .unicode),
            .init("mobile_phone_number", .unicode),
            .init("expiry_date", .dateOrTime, .mandatory),
            .init("issuing_authority", .unicode, .mandatory),
            .init("issuing_country", .countryCode, .mandatory),
            .init("document_number", .unicode),
            .init("issuing_jurisdiction", .text(TextRules(form: .subdivision(of: "issuing_country")))),
            .init("issuance_date", .dateOrTime),
            .init("location_status", .unicode),
            .init("trust_anchor", .unicode),
            .init("attestation_legal_category", .unicode),
            .init(.ageOver, .bool),
            .init("age_in_years", .unsigned),
            .init("age_birth_year", .unsigned),
        ]
    )
}

extension DataElementType {
    /// A place of birth: country, region and locality, as far as they are known.
    public static let placeOfBirth = map([
        Member("country", .countryCode),
        Member("region", .unicode),
        Member("locality", .unicode),
    ])
}
