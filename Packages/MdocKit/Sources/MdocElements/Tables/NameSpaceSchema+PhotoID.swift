import MdocKit

extension NameSpaceSchema {
    /// The elements that mobile documents share (ISO/IEC TS 23220-2), as the photo ID has them.
    public static let iso23220 = NameSpaceSchema(
        .iso23220,
        [
            .init("family_name_unicode", .unicode, .mandatory),
            .init("given_name_unicode", .unicode, .mandatory),
            .init("birth_date", .oneOf([.approximateBirthDate, .fullDate]), .mandatory),
            .init("portrait", .image, .mandatory),
            .init("issue_date", .dateOrTime, .mandatory),
            .init("expiry_date", .dateOrTime, .mandatory),
            .init("issuing_authority_unicode", .unicode, .mandatory),
            .init("issuing_country", .countryCode, .mandatory),
            .init("age_in_years", .unsigned),
            .init(.ageOver, .bool),
            .init("age_birth_year", .unsigned),
            .init("portrait_capture_date", .dateOrTime),
            .init("birthplace", .unicode),
            .init("name_at_birth", .unicode),
            .init("resident_address_unicode", .unicode),
            .init("resident_city_unicode", .unicode),
            .init("resident_postal_code", .unicode),
            .init("resident_country", .countryCode),
            .init("resident_city_latin1", .text(TextRules(isLatin1: true))),
            .init("sex", .unsigned(allowed: [0, 1, 2, 9])),
            .init("nationality", .countryCode),
            .init("document_number", .unicode),
            .init("issuing_subdivision", .text(TextRules(form: .subdivision(of: "issuing_country")))),
            .init("family_name_latin1", .text(TextRules(isLatin1: true))),
            .init("given_name_latin1", .text(TextRules(isLatin1: true))),
        ]
    )

    /// The further elements of the photo ID.
    public static let photoID = NameSpaceSchema(
        .photoID,
        [
            .init("person_id", .unicode),
            .init("birth_country", .countryCode),
            .init("birth_state", .unicode),
            .init("birth_city", .unicode),
            .init("administrative_number", .unicode),
            .init("resident_street", .unicode),
            .init("resident_house_number", .unicode),
            .init("travel_document_number", .unicode),
            .init("resident_state", .unicode),
        ]
    )

    /// The data groups of a digital travel credential.
    public static let digitalTravelCredential = NameSpaceSchema(
        .digitalTravelCredential,
        [
            .init("dtc_version", .unicode),
            .init("dtc_sod", .bytes(.any)),
            .init("dg_content_info", .bytes(.any)),
        ] + (1...16).map { DataElementDefinition(DataElementIdentifier("dtc_dg\($0)"), .bytes(.any)) }
    )
}

extension DataElementType {
    /// A date of birth of which digits may not be known.
    public static let approximateBirthDate = map([
        Member("birth_date", .fullDate, isMandatory: true),
        Member("approximate_mask", .text(TextRules(form: .dateMask))),
    ])
}
