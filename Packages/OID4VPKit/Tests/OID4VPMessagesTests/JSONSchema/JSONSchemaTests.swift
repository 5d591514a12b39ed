import JSONKit
import OID4VPMessages
import Testing

struct JSONSchemaTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let schema: JSONValue
        let accepted: [JSONValue]
        let refused: [JSONValue]

        var testDescription: String { schema.description }
    }

    static let cases = [
        Case(schema: true, accepted: [1, nil], refused: []),
        Case(schema: false, accepted: [], refused: [1, nil]),
        Case(schema: ["enum": [1, "a"]], accepted: [decimal("1.0"), "a"], refused: ["1", true]),
        Case(schema: ["multipleOf": 3], accepted: [9, -3, 0, "x"], refused: [10]),
        Case(schema: ["exclusiveMaximum": 3], accepted: [2], refused: [3]),
        Case(
            schema: ["format": "date", "formatMinimum": "2000-01-01", "formatMaximum": "2010-12-31"],
            accepted: ["2000-01-01", "2010-12-31", 5],
            refused: ["1999-12-31", "2011-01-01"]
        ),
        Case(
            schema: ["items": [["type": "string"], ["type": "number"]], "additionalItems": false],
            accepted: [["a", 1], ["a"], [], "x"],
            refused: [[1], ["a", 1, 2]]
        ),
        Case(schema: ["items": [["type": "string"]]], accepted: [["a", 1]], refused: [[1]]),
        Case(
            schema: [
                "properties": ["a": ["const": 1]], "patternProperties": ["^x": ["type": "string"]],
                "additionalProperties": ["type": "boolean"],
            ],
            accepted: [["a": 1, "xy": "s", "o": true], [:], 5],
            refused: [["a": 2], ["xy": 1], ["o": 1]]
        ),
        Case(schema: ["propertyNames": ["maxLength": 2]], accepted: [["ab": 1]], refused: [["abc": 1]]),
        Case(schema: ["minProperties": 1, "maxProperties": 2], accepted: [["a": 1]], refused: [[:]]),
        Case(
            schema: ["if": ["type": "string"], "then": ["minLength": 2], "else": ["minimum": 5]],
            accepted: ["ab", 5, nil],
            refused: ["a", 4]
        ),
        Case(schema: ["if": ["type": "string"], "then": false], accepted: [1], refused: ["a"]),
        Case(schema: ["then": false], accepted: [1], refused: []),
        Case(
            schema: ["$ref": "#/definitions/a~1b", "definitions": ["a/b": ["type": "string"]], "minLength": 9],
            accepted: ["x"],
            refused: [1]
        ),
        Case(
            schema: ["type": ["array", "number"], "items": ["$ref": "#"]],
            accepted: [1, [1, [2, [3]]], []],
            refused: ["a", [1, ["a"]]]
        ),
        Case(schema: ["uniqueItems": true], accepted: [[1, 2], ["a": 1]], refused: [[1, decimal("1.0")]]),
        Case(schema: ["uniqueItems": false], accepted: [[1, 1]], refused: []),
        Case(schema: ["not": ["anyOf": [["const": 1], ["const": 2]]]], accepted: [3], refused: [1, 2]),
        Case(schema: ["unknown": 1, "format": "email"], accepted: ["x"], refused: []),
        Case(schema: ["minimum": 0], accepted: [decimal("0.5")], refused: [decimal("1e999")]),
    ]

    @Test(arguments: cases)
    func acceptsByDraft7(_ testCase: Case) throws {
        let schema = try JSONSchema(testCase.schema)
        for value in testCase.accepted { #expect(try schema.accepts(value), "\(value)") }
        for value in testCase.refused { #expect(try !schema.accepts(value), "\(value)") }
    }

    @Test(
        arguments: [
            1, ["type": 1], ["type": "text"], ["enum": 1], ["pattern": 1], ["minLength": -1], ["maxLength": "a"],
            ["minItems": true], ["maxItems": nil], ["uniqueItems": 1], ["required": ["a", 1]], ["required": "a"],
            ["minimum": "1"], ["multipleOf": 0], ["allOf": []], ["anyOf": 1], ["not": 1], ["items": 1],
            ["properties": 1],
            ["patternProperties": [1]], ["$ref": 1], ["$ref": "#/nothing"], ["formatMinimum": 1], ["contains": "x"],
            ["minProperties": []], ["properties": ["a": 1]],
        ] as [JSONValue]
    )
    func refusesMalformedSchema(_ schema: JSONValue) {
        expect(.invalidSchema) { () throws(OID4VPError) in try JSONSchema(schema) }
    }

    @Test(
        arguments: [
            ["$ref": "https://example.org/schema"], ["$ref": "other.json#/a"], ["dependencies": ["a": ["b"]]],
        ] as [JSONValue]
    )
    func refusesWhatIsNotSupported(_ schema: JSONValue) {
        expect(.unsupportedSchema) { () throws(OID4VPError) in try JSONSchema(schema) }
    }

    @Test func refusesPatternsByTheirOwnCodes() {
        expect(.unsupportedPattern) { () throws(OID4VPError) in try JSONSchema(["pattern": "(a)\\1"]) }
        expect(.invalidPattern) { () throws(OID4VPError) in try JSONSchema(["patternProperties": ["(": true]]) }
    }

    @Test func boundsSchemasStepsAndTexts() throws {
        let limits = JSONSchemaLimits(schemas: 10, steps: 100, textLength: 5)
        _ = try JSONSchema(["allOf": .array(Array(repeating: true, count: 9))], limits: limits)
        expect(.limitExceeded) { () throws(OID4VPError) in
            try JSONSchema(["allOf": .array(Array(repeating: true, count: 10))], limits: limits)
        }
        // Each schema applies the next one twice: what is small to write takes 2²⁰ evaluations.
        let doubling = JSONObject(
            (0..<20).map { level in
                let next: JSONValue = ["$ref": .string("#/definitions/\(level + 1)")]
                return (name: "\(level)", value: ["allOf": [next, next]])
            } + [(name: "20", value: true)]
        )
        let bomb = try JSONSchema(["$ref": "#/definitions/0", "definitions": .object(doubling)])
        expect(.limitExceeded) { () throws(OID4VPError) in try bomb.accepts(1) }
        let loop = try JSONSchema(["$ref": "#/definitions/a", "definitions": ["a": ["$ref": "#/definitions/a"]]])
        expect(.limitExceeded) { () throws(OID4VPError) in try loop.accepts(1) }
        let unique = try JSONSchema(["uniqueItems": true], limits: limits)
        #expect(try unique.accepts(.array((0..<10).map { .integer($0) })))
        expect(.limitExceeded) { () throws(OID4VPError) in try unique.accepts(.array((0..<20).map { .integer($0) })) }
        let pattern = try JSONSchema(["pattern": "a"], limits: limits)
        #expect(try pattern.accepts("aaaaa"))
        expect(.limitExceeded) { () throws(OID4VPError) in try pattern.accepts("aaaaaa") }
    }

    /// Steps that cost more than others count as more.
    @Test func countsWhatStepsCost() throws {
        let limits = JSONSchemaLimits(steps: 100)
        let names = JSONValue.array((0..<100).map { .string("n\($0)") })
        for (schema, value): (JSONValue, JSONValue) in [
            (["required": names], [:]), (["type": .array(Array(repeating: "string", count: 100))], 1),
            (["minLength": 1], .string(String(repeating: "a", count: 6400))),
        ] {
            let costly = try JSONSchema(schema, limits: limits)
            expect(.limitExceeded) { () throws(OID4VPError) in try costly.accepts(value) }
            _ = try JSONSchema(schema).accepts(value)
        }
        // What waits for a reference that never ends stays small.
        var patient = JSONSchemaLimits.default
        patient.steps = 10_000_000
        let loop = try JSONSchema(["$ref": "#"], limits: patient)
        let error = #expect(throws: OID4VPError.self) { try loop.accepts(1) }
        #expect(error?.message.contains("leaves more than 20000 steps behind") == true)
    }

    @Test func evaluatesDeepValuesWithoutRecursion() throws {
        let depth = 500
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let value = try JSONValue(parsing: text, limits: JSONLimits(depth: depth))
        #expect(try JSONSchema(["type": "array", "items": ["$ref": "#"]]).accepts(value))
    }
}
