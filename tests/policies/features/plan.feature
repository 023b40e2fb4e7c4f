Feature: Resources of a plan

  Scenario: Data has an input
    Given I have terraform_data defined
    Then it must have input

  Scenario: Data has a label
    Given I have terraform_data defined
    Then it must have label

  Scenario: Things have a name and no size
    Given I have demo_thing defined
    Then it must have name
    And it must not have size

  Scenario: Variables have a value
    Given I have any variable defined
    Then it must have value

  Scenario: Outputs are not named so
    Given I have any output defined
    When its name is id
    Then it must not have value

  Scenario: Modules are local
    Given I have any module defined
    Then it must have source
