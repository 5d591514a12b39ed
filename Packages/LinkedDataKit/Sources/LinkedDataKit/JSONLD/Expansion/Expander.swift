import JSONKit
import VerificationCore

/// The expansion algorithm (JSON-LD 1.1 API, section 5.1), without recursion.
struct Expander {
    let options: JSONLDOptions
    let safeMode: SafeMode?
    let contexts: ContextProcessor
    /// The places with another form than the compacted one; nil outside of safe mode.
    let forms: OtherForms?
    /// The names that blank nodes get; nil to leave them without.
    let names: BlankNodeNames?
    var jobs: [ExpansionJob] = []
    private var values = 0

    init(options: JSONLDOptions, contexts: ContextProcessor, names: BlankNodeNames? = nil) {
        self.options = options
        self.names = names
        safeMode = options.safeMode
        forms = options.safeMode == nil ? nil : OtherForms()
        jobs.reserveCapacity(8)
        self.contexts = contexts
    }

    /// Expands a document to an array of node objects.
    mutating func expand(_ document: JSONValue) throws(LinkedDataError) -> [JSONValue] {
        let root = try slot(document, context: try contexts.initialContext(), property: .none, parent: -1, step: .none)
        var next = 0
        while next < jobs.count {
            switch jobs[next].element {
            case .array(let elements): try expandArray(elements, job: next)
            case .object(let object): try expandObject(object, job: next)
            default: break
            }
            next += 1
        }
        for index in jobs.indices.reversed() {
            if case .array = jobs[index].element { assembleArray(index) } else { try assembleObject(index) }
        }
        return topLevel(result(of: root))
    }

    /// The array of a document (section 9.1, `expand`, step 8).
    private func topLevel(_ result: JSONValue?) -> [JSONValue] {
        switch result {
        case nil: []
        case .array(let elements)?: elements
        case .object(let object)? where object.count == 1: object["@graph"]?.arrayValue ?? [.object(object)]
        case let value?: [value]
        }
    }

    // MARK: Slots

    /// Expands a scalar, or makes a job for anything else.
    ///
    /// - Parameters:
    ///   - ownPlace: The place of the element, if the step does not lead there from that of its parent.
    ///   - isWrapped: Pass `true` for an array that only stands around the value of the document.
    mutating func slot(
        _ element: JSONValue,
        context: ActiveContext,
        property: ActiveProperty,
        isFromMap: Bool = false,
        parent: Int,
        step: ExpansionJob.Step,
        place ownPlace: Int? = nil,
        isWrapped: Bool = false
    ) throws(LinkedDataError) -> ExpansionJob.Slot {
        values += 1
        guard values <= options.limits.values else {
            throw LinkedDataError(.limitExceeded, "more than \(options.limits.values) values")
        }
        switch element {
        case .null:
            try refuseEmptyValue(parent, step)
            return .value(nil)
        case .array, .object:
            let depth = parent < 0 ? 1 : jobs[parent].depth + 1
            guard depth <= min(options.limits.depth, JSONLDLimits.maximumDepth) else {
                throw failure(.limitExceeded, "values are nested too deeply", parent, step)
            }
            jobs.append(
                ExpansionJob(
                    element,
                    context: context,
                    property: property,
                    isFromMap: isFromMap,
                    parent: parent,
                    step: step,
                    depth: depth,
                    place: ownPlace ?? place(step, in: place(parent)),
                    isWrapped: isWrapped
                )
            )
            return .job(jobs.count - 1)
        default:
            return .value(try expandScalar(element, context: context, property: property, parent: parent, step: step))
        }
    }

    func result(of slot: ExpansionJob.Slot) -> JSONValue? {
        switch slot {
        case .value(let value): value
        case .job(let index): jobs[index].result
        }
    }

    // MARK: Arrays

    private mutating func expandArray(_ elements: [JSONValue], job: Int) throws(LinkedDataError) {
        if elements.isEmpty, jobs[job].parent >= 0, !isList(jobs[job].property) {
            try refuseEmptyValue(jobs[job].parent, jobs[job].step)
        }
        if jobs[job].parent >= 0, case .array = jobs[jobs[job].parent].element, !isList(jobs[job].property) {
            note("an array directly in an array", jobs[job].parent, jobs[job].step)
        }
        var slots: [ExpansionJob.Slot] = []
        slots.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            slots.append(
                try slot(
                    element,
                    context: jobs[job].context,
                    property: jobs[job].property,
                    isFromMap: jobs[job].isFromMap,
                    parent: job,
                    step: .index(index),
                    place: jobs[job].isWrapped ? place(job) : nil
                )
            )
        }
        jobs[job].slots = slots
    }

    func isList(_ property: ActiveProperty) -> Bool {
        property.term?.definition.container.contains(.list) ?? false
    }

    private mutating func assembleArray(_ job: Int) {
        let isList = isList(jobs[job].property)
        var elements: [JSONValue] = []
        elements.reserveCapacity(jobs[job].slots.count)
        for (index, slot) in jobs[job].slots.enumerated() {
            switch result(of: slot) {
            case nil: break
            case .array(let nested)?:
                if isList {
                    elements.append(.object(named(["@list": .array(nested)], at: place(.index(index), in: place(job)))))
                } else {
                    elements += nested
                }
            case let element?: elements.append(element)
            }
        }
        jobs[job].result = .array(elements)
    }

    // MARK: Errors

    /// An error with the path of an element.
    func failure(
        _ code: LinkedDataError.Code,
        _ message: String,
        _ parent: Int,
        _ step: ExpansionJob.Step = .none
    ) -> LinkedDataError {
        LinkedDataError(code, message, path: path(parent, step))
    }

    func path(_ parent: Int, _ step: ExpansionJob.Step = .none) -> [String] {
        var steps = [step]
        var index = parent
        while index >= 0 {
            steps.append(jobs[index].step)
            index = jobs[index].parent
        }
        return steps.reversed().reduce(into: []) { path, step in
            switch step {
            case .none: break
            case .name(let name): path.append(name)
            case .index(let index):
                if let last = path.popLast() { path.append("\(last)[\(index)]") } else { path.append("[\(index)]") }
            }
        }
    }

    /// Refuses a null or an empty array, which would be lost, in safe mode.
    func refuseEmptyValue(_ parent: Int, _ step: ExpansionJob.Step) throws(LinkedDataError) {
        guard let safeMode, !safeMode.acceptsEmptyValues else { return }
        throw failure(.droppedTerm, "a null or an empty array leaves no trace in RDF", parent, step)
    }
}
