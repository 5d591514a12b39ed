extension ClaimMetadata {
    /// Reads an entry of `claims`.
    init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        guard let value = try reader.value("path") else { throw reader.failure("there is no path") }
        do throws(SDJWTError) {
            path = try ClaimPath(json: value)
        } catch {
            throw reader.failure(error.message)
        }
        display = try reader.objects("display")?.map { entry throws(SDJWTError) in try ClaimDisplay(entry) }
        mandatory = try reader.bool("mandatory")
        selectiveDisclosure = try reader.choice("sd", of: ["always", "allowed", "never"])
            .flatMap(SelectiveDisclosure.init(rawValue:))
        svgID = try reader.string("svg_id")
        if let svgID, !Self.isSVGID(svgID) { throw reader.failure("svg_id is \"\(svgID)\"") }
    }

    /// Letters, digits and underscores of ASCII, the first no digit.
    private static func isSVGID(_ text: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = text.utf8.first, !digits.contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            digits.contains(byte) || letters.contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
    }
}

extension ClaimDisplay {
    fileprivate init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        locale = try reader.locale()
        label = try reader.requiredString("label")
        description = try reader.string("description")
    }
}

extension TypeDisplay {
    /// Reads an entry of `display`.
    init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        locale = try reader.locale()
        name = try reader.requiredString("name")
        description = try reader.string("description")
        let rendering = try reader.object("rendering")
        simpleRendering = try rendering?.object("simple").map { simple throws(SDJWTError) in
            try SimpleRendering(simple)
        }
        let templates = try rendering?.objects("svg_templates") ?? []
        svgTemplates = try templates.map { template throws(SDJWTError) in
            try SVGTemplateReference(template, isOnly: templates.count == 1)
        }
    }
}

extension SimpleRendering {
    fileprivate init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        logo = try reader.object("logo").map { image throws(SDJWTError) in try Image(image) }
        backgroundImage = try reader.object("background_image").map { image throws(SDJWTError) in try Image(image) }
        backgroundColor = try reader.string("background_color")
        textColor = try reader.string("text_color")
    }
}

extension SimpleRendering.Image {
    fileprivate init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        uri = try reader.imageURI()
        integrity = try reader.integrity("uri#integrity")
        alternativeText = try reader.string("alt_text")
    }
}

extension SVGTemplateReference {
    /// - Parameter isOnly: Indicates that it is the only template, which needs no properties.
    fileprivate init(_ reader: TypeMetadataReader, isOnly: Bool) throws(SDJWTError) {
        uri = try reader.imageURI()
        integrity = try reader.integrity("uri#integrity")
        let properties = try reader.object("properties")
        orientation = try properties?.choice("orientation", of: ["portrait", "landscape"])
        colorScheme = try properties?.choice("color_scheme", of: ["light", "dark"])
        contrast = try properties?.choice("contrast", of: ["normal", "high"])
        let hasProperty = [orientation, colorScheme, contrast].contains { $0 != nil }
        guard hasProperty || (isOnly && properties == nil) else {
            throw reader.failure("the properties of a template say nothing")
        }
    }
}
