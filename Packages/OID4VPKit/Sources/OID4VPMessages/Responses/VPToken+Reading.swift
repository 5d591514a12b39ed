import JSONKit

extension VPToken {
    /// Reads the answer to a DCQL query.
    ///
    /// Required queries are not checked here: they depend on the disclosed claims.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the response.
    ///   - query: The query of the request.
    ///   - options: Tolerances and limits.
    ///   - deviations: Receives the deviations that tolerances let pass.
    /// - Throws: ``OID4VPError/Code/missingParameter``; ``OID4VPError/Code/invalidParameter`` for an answer to no
    ///   query, for no presentation and for several if the query takes one; ``OID4VPError/Code/limitExceeded``.
    public init(
        _ parameters: ResponseParameters,
        answering query: DCQLQuery,
        options: ResponseReadingOptions = .strict,
        deviations: inout [Deviation]
    ) throws(OID4VPError) {
        let token = try Self.value("vp_token", parameters, options, &deviations)
        guard let members = token.objectValue else {
            throw OID4VPError(.invalidParameter, "it must be an object", path: ["vp_token"])
        }
        var answers: [Answer] = []
        var total = 0
        for (name, value) in members {
            let path = ["vp_token", name]
            guard let asked = query[QueryID(name)] else {
                throw OID4VPError(.invalidParameter, "the request has no such query", path: path)
            }
            var presentations = [value]
            if let elements = value.arrayValue {
                presentations = elements
            } else {
                try options.tolerate(.singlePresentations, at: path, &deviations)
            }
            total += presentations.count
            try Self.check(presentations, atMost: options.limits.presentations - total + presentations.count, at: path)
            guard asked.allowsMultiple || presentations.count == 1 else {
                throw OID4VPError(.invalidParameter, "the query takes one presentation", path: path)
            }
            answers.append(Answer(query: asked.id, presentations: presentations))
        }
        self = .queries(answers)
    }

    /// Reads the answer to a presentation definition.
    ///
    /// Required descriptors are not checked here: they depend on the disclosed claims.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the response.
    ///   - definition: The definition of the request.
    ///   - options: Tolerances and limits.
    ///   - deviations: Receives the deviations that tolerances let pass.
    /// - Throws: ``OID4VPError/Code/missingParameter``; ``OID4VPError/Code/invalidParameter`` for a submission that answers
    ///   another definition or an unknown descriptor, that answers a descriptor twice, whose path leads to no presentation,
    ///   or that leaves a presentation out; ``OID4VPError/Code/malformed``; ``OID4VPError/Code/limitExceeded``.
    public init(
        _ parameters: ResponseParameters,
        answering definition: PresentationDefinition,
        options: ResponseReadingOptions = .strict,
        deviations: inout [Deviation]
    ) throws(OID4VPError) {
        let token = try Self.token(parameters, options, &deviations)
        let presentations = token.arrayValue ?? [token]
        try Self.check(presentations, atMost: options.limits.presentations, at: ["vp_token"])
        var submission = try PresentationSubmission(
            json: try Self.value("presentation_submission", parameters, options, &deviations),
            limits: definition.limits
        )
        let path = ["presentation_submission"]
        guard submission.definition.hasSameBytes(as: definition.id) else {
            throw OID4VPError(.invalidParameter, "it answers another definition", path: path + ["definition_id"])
        }
        submission = submission.withNestedPlaces(options, at: path, &deviations)
        self = .definition(presentations: presentations, submission: submission)
        var (answered, used): (Set<QueryID>, Set<Int>) = ([], [])
        for (place, entry) in submission.entries.enumerated() {
            let path = path + ["descriptor_map[\(place)]"]
            guard definition.descriptors.contains(where: { $0.id == entry.descriptor }) else {
                throw OID4VPError(.invalidParameter, "the definition has no such descriptor", path: path + ["id"])
            }
            if !answered.insert(entry.descriptor).inserted {
                try options.tolerate(.repeatedDescriptors, at: path + ["id"], &deviations)
            }
            guard let index = Self.index(entry.path), presentation(at: entry) != nil else {
                throw OID4VPError(.invalidParameter, "it leads to no presentation", path: path + ["path"])
            }
            if (entry.path == "$") != (token.arrayValue == nil) {
                try options.tolerate(.looseSubmissionPaths, at: path + ["path"], &deviations)
            }
            used.insert(index)
        }
        guard used.count == presentations.count else {
            throw OID4VPError(.invalidParameter, "a presentation answers no descriptor", path: path)
        }
    }

    private static func check(
        _ presentations: [JSONValue],
        atMost limit: Int,
        at path: [String]
    ) throws(OID4VPError) {
        guard !presentations.isEmpty else {
            throw OID4VPError(.invalidParameter, "it has no presentation", path: path)
        }
        guard presentations.count <= limit else {
            throw OID4VPError(.limitExceeded, "there are too many presentations", path: path)
        }
        for presentation in presentations {
            guard presentation.objectValue != nil || presentation.stringValue?.isEmpty == false else {
                throw OID4VPError(.invalidParameter, "a presentation is neither a text nor an object", path: path)
            }
        }
    }

    /// The `vp_token` for a presentation definition: in a form the text of a presentation, or JSON.
    private static func token(
        _ parameters: ResponseParameters,
        _ options: ResponseReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> JSONValue {
        let path = ["vp_token"]
        // No presentation that is a text begins with one of these characters.
        guard let text = parameters.textBytes("vp_token"), let first = text.first, "{[\"".utf8.contains(first) else {
            guard let value = parameters["vp_token"] else {
                throw OID4VPError(.missingParameter, .missing, path: path)
            }
            return value
        }
        let json = try ResponseParameters.json(text, options.limits, at: path)
        if json.stringValue != nil {
            try options.tolerate(.quotedPresentation, at: path, &deviations)
        } else if !parameters.isForm {
            try options.tolerate(.textForValue, at: path, &deviations)
        }
        return json
    }

    /// A parameter that is not text, which a form has as JSON text.
    private static func value(
        _ name: String,
        _ parameters: ResponseParameters,
        _ options: ResponseReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> JSONValue {
        guard let text = parameters.textBytes(name) else {
            guard let value = parameters[name] else {
                throw OID4VPError(.missingParameter, .missing, path: [name])
            }
            return value
        }
        if !parameters.isForm { try options.tolerate(.textForValue, at: [name], &deviations) }
        return try ResponseParameters.json(text, options.limits, at: [name])
    }
}
